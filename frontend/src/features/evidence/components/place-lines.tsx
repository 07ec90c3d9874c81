/** Lines of a place that is not itself cited: fetched, marked, with names that can be pressed. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { isMissing } from "@/api/errors";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { type LinePlace, linesQuery } from "../api/get-lines";
import { CodeTable } from "./code-table";
import { Unavailable } from "./unavailable";

type Props = { place: LinePlace; onName?: (name: string) => void };

export function PlaceLines({ place, onName }: Props) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(linesQuery(place));
  if (isPending) return <Skeleton text={t("evidence.loading")} />;
  if (isMissing(error)) {
    return (
      <StatePanel icon="lock" title={t("evidence.forbidden")} text={t("evidence.forbiddenHint")} />
    );
  }
  if (!data) {
    return <Failure title={t("evidence.failed")} error={error} onRetry={() => refetch()} />;
  }
  if (data.unavailable) return <Unavailable reason={data.unavailable} />;
  return <CodeTable shown={data} onName={onName} />;
}
