/** A tape: everything that happened in one line of work, and what the model saw of it. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { isMissing } from "@/api/errors";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { tapeQuery } from "@/features/tape/api/get-tape";
import { usePageTitle } from "@/lib/page-title";
import { useFollowedTape } from "../live/live-context";
import { TapeView } from "./tape/tape-view";

function NoTape() {
  const { t } = useTranslation();
  return (
    <StatePanel heading="h1" icon="lock" title={t("tape.missing")} text={t("states.noTopicHint")}>
      <Link className="button primary" to="/topics">
        {t("states.toTopics")}
      </Link>
    </StatePanel>
  );
}

export function TapePage() {
  const { t } = useTranslation();
  const { tape: param } = useParams({ from: "/shell/tapes/$tape" });
  const id = Number(param);
  const { data: tape, error, refetch } = useQuery({ ...tapeQuery(id), enabled: id > 0 });
  useFollowedTape(tape?.id, tape?.head);
  usePageTitle(t("tape.title"));
  if (tape) return <TapeView key={id} tape={tape} />;
  return (
    <main className="page lone">
      {isMissing(error) || !(id > 0) ? (
        <NoTape />
      ) : error ? (
        <Failure heading="h1" title={t("states.page")} error={error} onRetry={() => refetch()} />
      ) : (
        <Skeleton text={t("tape.loading")} />
      )}
    </main>
  );
}
