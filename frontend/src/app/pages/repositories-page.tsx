/** Repositories: how fresh each is on one side, everything about the chosen one on the other. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Failure } from "@/components/failure";
import { Icon } from "@/components/icon";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { repositoriesQuery } from "@/features/repositories/api/list-repositories";
import { AddDialog } from "@/features/repositories/components/add-dialog";
import { RepositoryRow } from "@/features/repositories/components/repository-row";
import { counted } from "@/features/repositories/words/state";
import { meQuery } from "@/features/session/api/get-me";
import { usePageTitle } from "@/lib/page-title";
import { RepositoryPart } from "./repository-part";
import { useRowKeys } from "./row-keys";

function useSummary(repositories: Repository[]): string {
  const { t } = useTranslation();
  const counts = counted(repositories);
  const parts = (["fresh", "indexing", "waiting", "failed", "new"] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => t(`repositories.count.${state}`, { count: counts[state] }));
  if (repositories.length === 0) return "";
  return t("repositories.summary", {
    count: repositories.length,
    parts: parts.join(t("turn.comma")),
  });
}

function List({ repositories, chosen }: { repositories: Repository[]; chosen: number }) {
  return (
    <nav className="card pick-list" aria-labelledby="page-title">
      {repositories.map((repository) => (
        <Link
          key={repository.id}
          to="/repositories"
          search={{ repository: repository.id }}
          className="pick-row"
          data-row
          resetScroll={false}
          aria-current={repository.id === chosen ? "true" : undefined}
        >
          <RepositoryRow repository={repository} />
        </Link>
      ))}
    </nav>
  );
}

function Empty({ mayAdd }: { mayAdd: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="card">
      <StatePanel
        icon="repositories"
        title={mayAdd ? t("repositories.none") : t("repositories.empty")}
        text={mayAdd ? t("repositories.noneHint") : t("repositories.emptyHint")}
      />
    </div>
  );
}

function AddButton() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const onAdded = ({ id }: Repository) =>
    void navigate({ to: "/repositories", search: { repository: id } });
  return (
    <>
      <button type="button" className="button primary" onClick={() => setAdding(true)}>
        <Icon name="plus" />
        {t("repositories.add")}
      </button>
      {adding && <AddDialog onClose={() => setAdding(false)} onAdded={onAdded} />}
    </>
  );
}

export function RepositoriesPage() {
  const { t } = useTranslation();
  const { repository: wanted } = useSearch({ from: "/shell/repositories" });
  const { data, error, isPending, refetch } = useQuery(repositoriesQuery);
  const { data: me } = useQuery(meQuery);
  const mayAdd = me?.roles.includes("administrator") ?? false;
  const repositories = data ?? [];
  const chosen = repositories.find((each) => each.id === wanted) ?? repositories[0];
  const summary = useSummary(repositories);
  usePageTitle(t("repositories.title"));
  useRowKeys();
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1 id="page-title">{t("repositories.title")}</h1>
          <p>{summary}</p>
        </div>
        {mayAdd && <AddButton />}
      </header>
      {isPending && <Skeleton text={t("states.loadingRepositories")} />}
      {error && !data && (
        <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />
      )}
      {data && repositories.length === 0 && <Empty mayAdd={mayAdd} />}
      {chosen && (
        <div className={wanted ? "pick chosen" : "pick"}>
          <List repositories={repositories} chosen={chosen.id} />
          <RepositoryPart key={chosen.id} repository={chosen} />
        </div>
      )}
    </main>
  );
}
