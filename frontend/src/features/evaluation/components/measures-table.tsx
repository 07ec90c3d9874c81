/** What a run found: shares over all questions and by language. */
import { useTranslation } from "react-i18next";
import type { EvaluationRun, Measures } from "@/api/types";
import { ScrollingTable } from "@/components/scrolling-table";
import { count, percent } from "@/lib/wording";
import { fixed } from "../words/figures";

const shares = ["repo_at_1", "file_at_1", "file_at_5", "file_at_10"] as const;
const more = ["span_at_10", "all_at_10"] as const;

function Row({ name, measures }: { name: string; measures: Measures }) {
  const { i18n } = useTranslation();
  const share = (value: number | null) => (value === null ? "–" : percent(value, i18n.language));
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="end">{count(measures.questions, i18n.language)}</td>
      {shares.map((key) => (
        <td key={key} className="end">
          {share(measures[key])}
        </td>
      ))}
      <td className="end">{fixed(measures.mrr, i18n.language)}</td>
      {more.map((key) => (
        <td key={key} className="end">
          {share(measures[key])}
        </td>
      ))}
    </tr>
  );
}

export function MeasuresTable({ run }: { run: EvaluationRun }) {
  const { t } = useTranslation();
  return (
    <ScrollingTable label={t("evaluation.measures")}>
      <table className="plain-table measures">
        <thead>
          <tr>
            <th scope="col">{t("evaluation.language")}</th>
            <th scope="col" className="end">
              {t("evaluation.asked")}
            </th>
            {["repo@1", "file@1", "file@5", "file@10", "mrr", "span@10", "all@10"].map((name) => (
              <th key={name} scope="col" className="end">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name={t("evaluation.all")} measures={run.all} />
          {run.zh && run.zh.questions > 0 && <Row name={t("evaluation.zh")} measures={run.zh} />}
          {run.en && run.en.questions > 0 && <Row name={t("evaluation.en")} measures={run.en} />}
        </tbody>
      </table>
    </ScrollingTable>
  );
}
