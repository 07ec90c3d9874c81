/** The named views one keeps, and those opened to one. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { NamedView } from "@/api/types";
import { Failure } from "@/components/failure";
import { Icon } from "@/components/icon";
import { Skeleton } from "@/components/skeleton";
import { viewsQuery } from "@/features/tape/api/list-views";
import { usePageTitle } from "@/lib/page-title";
import { languageOf } from "@/lib/wording";
import { TapeTabs } from "./tape-tabs";

function ViewRow({ view }: { view: NamedView }) {
  const { t } = useTranslation();
  return (
    <li className="row view-row">
      <Link
        className="grow"
        to="/views/$view"
        params={{ view: String(view.id) }}
        lang={languageOf(view.name)}
        dir="auto"
      >
        {view.name}
      </Link>
      <span className="small muted dotted">
        <span>{t("views.parts", { count: view.parts.length })}</span>
        {!view.mine && <span>{t("views.of", { name: view.owner.display_name })}</span>}
        {view.shared && (
          <span>
            <Icon name="share" /> {t("share.shared")}
          </span>
        )}
      </span>
    </li>
  );
}

export function ViewsPage() {
  const { t } = useTranslation();
  const { data: views, error, isPending, refetch } = useQuery(viewsQuery);
  usePageTitle(t("views.title"));
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("views.title")}</h1>
          <p>{t("views.lead")}</p>
        </div>
      </header>
      <TapeTabs />
      {isPending && <Skeleton text={t("tape.loading")} />}
      {error && !views && (
        <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />
      )}
      {views?.length === 0 && <p className="muted">{t("views.none")}</p>}
      {views && views.length > 0 && (
        <ul className="card view-list">
          {views.map((view) => (
            <ViewRow key={view.id} view={view} />
          ))}
        </ul>
      )}
    </main>
  );
}
