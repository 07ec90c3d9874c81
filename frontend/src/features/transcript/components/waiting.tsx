/** A turn that waits: its place in the queue, and a way out of it. */
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/types";
import { StopButton } from "./stop-button";

export function Waiting({ row, mine }: { row: Turn | undefined; mine: boolean }) {
  const { t } = useTranslation();
  const ahead = row?.place ?? 0;
  return (
    <div className="waiting-line">
      <span className="grow dotted">
        {ahead > 0 && <span>{t("turn.queue", { count: ahead, ordinal: true })}</span>}
        <span>{ahead > 0 ? t("turn.startsAfter") : t("turn.startsSoon")}</span>
      </span>
      {mine && row && <StopButton turn={row.id} />}
    </div>
  );
}
