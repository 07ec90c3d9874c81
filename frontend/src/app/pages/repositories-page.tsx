/** The repositories one may read, and how fresh each is. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { repositoriesQuery } from "@/features/repositories/api/list-repositories";
import { RepositoryRow } from "@/features/repositories/components/repository-row";
import { usePageTitle } from "@/lib/page-title";

function List({ repositories }: { repositories: Repository[] }) {
  const { t } = useTranslation();
  if (repositories.length === 0) {
    return (
      <div className="card">
        <StatePanel
          icon="repositories"
          title={t("repositories.empty")}
          text={t("repositories.emptyHint")}
        />
      </div>
    );
  }
  return (
    <ul className="card repository-list">
      {repositories.map((repository) => (
        <RepositoryRow key={repository.id} repository={repository} />
      ))}
    </ul>
  );
}

export function RepositoriesPage() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(repositoriesQuery);
  usePageTitle(t("repositories.title"));
  return (
    <main className="page">
      <header className="page-head">
        <h1>{t("repositories.title")}</h1>
        {data && data.length > 0 && <p>{t("repositories.summary", { count: data.length })}</p>}
      </header>
      {isPending && <Skeleton text={t("states.loadingRepositories")} />}
      {error && !data && (
        <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />
      )}
      {data && <List repositories={data} />}
    </main>
  );
}
