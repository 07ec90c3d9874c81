/** The way to a tape when none is in view: one's newest. */
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { tapesQuery } from "@/features/tape/api/list-tapes";
import { usePageTitle } from "@/lib/page-title";

export function TapesPage() {
  const { t } = useTranslation();
  const { tape: inView } = useSearch({ from: "/shell/tapes" });
  const { data: tapes, error, refetch } = useQuery(tapesQuery);
  usePageTitle(t("tape.title"));
  if (inView) return <Navigate to="/tapes/$tape" params={{ tape: String(inView) }} replace />;
  const newest = tapes?.find((tape) => tape.mine && !tape.archived_at) ?? tapes?.[0];
  if (newest) return <Navigate to="/tapes/$tape" params={{ tape: String(newest.id) }} replace />;
  return (
    <main className="page lone">
      {error && (
        <Failure heading="h1" title={t("states.page")} error={error} onRetry={() => refetch()} />
      )}
      {!error && !tapes && <Skeleton text={t("tape.loading")} />}
      {tapes && (
        <StatePanel heading="h1" icon="tape" title={t("tape.none")} text={t("tape.noneHint")}>
          <Link className="button primary" to="/">
            {t("topics.askFirst")}
          </Link>
          <Link className="button" to="/views">
            {t("views.all")}
          </Link>
        </StatePanel>
      )}
    </main>
  );
}
