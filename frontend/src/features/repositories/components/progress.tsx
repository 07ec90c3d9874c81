/** How far an indexing has come, once its end is known. */
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { stateOf } from "../words/state";

export function Progress({ repository }: { repository: Repository }) {
  const { t } = useTranslation();
  const { run } = repository;
  if (stateOf(repository) !== "indexing" || !run || run.total === 0) return null;
  const percent = Math.round((run.done / run.total) * 100);
  return (
    <div
      className="progress"
      role="progressbar"
      aria-valuenow={percent}
      aria-label={t("repositories.progress", { name: repository.name })}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
  );
}
