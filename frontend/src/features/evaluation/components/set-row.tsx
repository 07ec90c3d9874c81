/** One set in the list: its name, how many questions, and how its newest run went. */
import { useTranslation } from "react-i18next";
import type { EvaluationSet } from "@/api/types";
import { ago, percent } from "@/lib/wording";

export function SetRow({ set }: { set: EvaluationSet }) {
  const { t, i18n } = useTranslation();
  const { last } = set;
  return (
    <>
      <div className="row">
        <h2 className="grow ellipsis" dir="auto">
          {set.name}
        </h2>
        {set.running && <span className="tag info">{t("evaluation.running")}</span>}
      </div>
      <p className="small muted dotted">
        <span>{t("evaluation.questions", { count: set.questions })}</span>
        {last ? (
          <>
            <span>repo@1 {percent(last.all.repo_at_1, i18n.language)}</span>
            <span>file@10 {percent(last.all.file_at_10, i18n.language)}</span>
            <span>{ago(last.at, i18n.language)}</span>
          </>
        ) : (
          <span>{t("evaluation.neverRun")}</span>
        )}
      </p>
    </>
  );
}
