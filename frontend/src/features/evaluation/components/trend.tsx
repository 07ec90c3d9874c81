/** How a set has done over its runs: a plot, and the table under it. */
import { useTranslation } from "react-i18next";
import type { EvaluationRun } from "@/api/types";
import { ScrollingTable } from "@/components/scrolling-table";
import { moment, percent, seconds } from "@/lib/wording";
import { fixed } from "../words/figures";
import { TrendPlot } from "./trend-plot";

function RunRow({ run }: { run: EvaluationRun }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language;
  return (
    <tr>
      <th scope="row" className="nowrap">
        {moment(run.at, language)}
      </th>
      <td>{t(`evaluation.trigger.${run.trigger}`)}</td>
      <td className="end">{percent(run.all.repo_at_1, language)}</td>
      <td className="end">{percent(run.all.file_at_1, language)}</td>
      <td className="end">{percent(run.all.file_at_10, language)}</td>
      <td className="end">{run.zh ? percent(run.zh.file_at_10, language) : "–"}</td>
      <td className="end">{run.en ? percent(run.en.file_at_10, language) : "–"}</td>
      <td className="end">{fixed(run.all.mrr, language)}</td>
      <td className="end nowrap">{t("turn.seconds", { value: seconds(run.seconds, language) })}</td>
    </tr>
  );
}

/** `runs` newest first, as they are kept. */
export function Trend({ runs }: { runs: EvaluationRun[] }) {
  const { t } = useTranslation();
  return (
    <section className="block">
      <h3 className="section-title">{t("evaluation.trend")}</h3>
      <TrendPlot runs={[...runs].reverse()} />
      <ScrollingTable label={t("evaluation.runs")}>
        <table className="plain-table measures">
          <thead>
            <tr>
              <th scope="col">{t("evaluation.when")}</th>
              <th scope="col">{t("evaluation.why")}</th>
              <th scope="col" className="end">
                repo@1
              </th>
              <th scope="col" className="end">
                file@1
              </th>
              <th scope="col" className="end">
                file@10
              </th>
              <th scope="col" className="end">
                {t("evaluation.zhFile")}
              </th>
              <th scope="col" className="end">
                {t("evaluation.enFile")}
              </th>
              <th scope="col" className="end">
                mrr
              </th>
              <th scope="col" className="end">
                {t("evaluation.took")}
              </th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </tbody>
        </table>
      </ScrollingTable>
    </section>
  );
}
