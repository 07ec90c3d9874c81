/** A turn that waits: its place in the queue, and a way out of it. */
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/types";
import { StopButton } from "./stop-button";

type Props = {
  row: Turn | undefined;
  /** An earlier turn of this topic has not ended. */
  behind: boolean;
  mine: boolean;
};

export function Waiting({ row, behind, mine }: Props) {
  const { t } = useTranslation();
  const place = row?.place ?? 0;
  return (
    <div className="waiting-line">
      <span className="grow dotted">
        {place > 0 && <span>{t("turn.queue", { count: place, ordinal: true })}</span>}
        <span>{behind ? t("turn.startsAfter") : t("turn.startsSoon")}</span>
      </span>
      {mine && row && <StopButton turn={row.id} />}
    </div>
  );
}
