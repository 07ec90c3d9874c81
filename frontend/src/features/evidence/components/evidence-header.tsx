/** Where the lines are: repository, path, branch, commit, and when both were committed and indexed. */
import { useTranslation } from "react-i18next";
import type { EvidenceState } from "@/api/types";
import { calendarDay, moment } from "@/lib/wording";

export function EvidenceHeader({ evidence }: { evidence: EvidenceState }) {
  const { t, i18n } = useTranslation();
  const parts = [evidence.repository.name, ...evidence.path.split("/")];
  const file = parts.pop();
  return (
    <>
      <h2>
        <span className="muted">{parts.join(" / ")} / </span>
        {file}
      </h2>
      <p className="small muted dotted">
        <span>{evidence.branch}</span>
        <span className="mono">{evidence.commit.slice(0, 7)}</span>
        {evidence.committed_at && (
          <span>
            {t("evidence.committed", { date: calendarDay(evidence.committed_at, i18n.language) })}
          </span>
        )}
        {evidence.indexed_at && (
          <span>{t("evidence.indexed", { date: moment(evidence.indexed_at, i18n.language) })}</span>
        )}
      </p>
    </>
  );
}
