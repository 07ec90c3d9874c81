/** Who or what cost most: a bar each, and under it the table of all. */
import { useTranslation } from "react-i18next";
import type { CostFigures } from "@/api/types";
import { ScrollingTable } from "@/components/scrolling-table";
import { count, percent } from "@/lib/wording";
import { type Measure, measured, said, short, sum, tokensOf } from "../words/figures";
import { TableUnder } from "./table-under";

export type Ranked = {
  key: string;
  name: string;
  figures: CostFigures;
  chosen: boolean;
  onChoose: () => void;
};

const most = 6;

type Props = { id: string; title: string; note?: string; rows: Ranked[]; measure: Measure };

function Bars({ rows, measure }: { rows: Ranked[]; measure: Measure }) {
  const { t, i18n } = useTranslation();
  const top = Math.max(...rows.map((row) => measured(row.figures, measure)), 0);
  return (
    <ul className="cost-bars">
      {rows.map((row) => {
        const value = measured(row.figures, measure);
        return (
          <li key={row.key}>
            <button
              type="button"
              className="quiet"
              aria-pressed={row.chosen}
              onClick={row.onChoose}
            >
              <span className="cut" dir="auto">
                {row.name}
              </span>
              <span>{said(row.figures, measure, t, i18n.language)}</span>
            </button>
            <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect className="s1" width={top > 0 ? (100 * value) / top : 0} height="6" />
            </svg>
          </li>
        );
      })}
    </ul>
  );
}

function Money({ figures }: { figures: CostFigures }) {
  const { t, i18n } = useTranslation();
  const known = figures.money.map((money) =>
    sum(Number(money.amount), money.currency, i18n.language),
  );
  const unknown =
    figures.unknown_calls > 0 ? t("costs.unknownCalls", { count: figures.unknown_calls }) : "";
  return [...known, unknown].filter(Boolean).join(" · ");
}

function Table({ title, rows }: { title: string; rows: Ranked[] }) {
  const { t, i18n } = useTranslation();
  return (
    <TableUnder>
      <ScrollingTable label={title}>
        <table className="plain-table">
          <thead>
            <tr>
              <th>{title}</th>
              <th className="end">{t("costs.calls")}</th>
              <th className="end">{t("costs.tokens")}</th>
              <th className="end">{t("costs.cached")}</th>
              <th className="end">{t("costs.spent")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, figures }) => (
              <tr key={key}>
                <th dir="auto">{name}</th>
                <td className="end">{count(figures.calls, i18n.language)}</td>
                <td className="end">{short(tokensOf(figures))}</td>
                <td className="end">
                  {figures.cached_share !== null && percent(figures.cached_share, i18n.language)}
                </td>
                <td className="end">
                  <Money figures={figures} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollingTable>
    </TableUnder>
  );
}

export function RankingCard({ id, title, note, rows, measure }: Props) {
  const { t } = useTranslation();
  return (
    <section className="card cost-card" aria-labelledby={`costs-${id}`}>
      <h2 id={`costs-${id}`}>{title}</h2>
      {rows.length === 0 ? (
        <p className="small muted">{t("costs.nothing")}</p>
      ) : (
        <>
          <Bars rows={rows.slice(0, most)} measure={measure} />
          <Table title={title} rows={rows} />
        </>
      )}
      {note && <p className="small muted cost-note">{note}</p>}
    </section>
  );
}
