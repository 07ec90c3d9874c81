/** What the plot of days shows, in figures. */
import { useTranslation } from "react-i18next";
import { ScrollingTable } from "@/components/scrolling-table";
import { calendarDay } from "@/lib/wording";
import type { Bar } from "../words/days";
import { type Measure, written } from "../words/figures";
import { heightOf, type Layer } from "../words/stack";
import { TableUnder } from "./table-under";

export function DayTable({
  bars,
  layers,
  measure,
}: {
  bars: Bar[];
  layers: Layer[];
  measure: Measure;
}) {
  const { t, i18n } = useTranslation();
  const say = (value: number) => written(value, measure, i18n.language);
  const day = (bar: Bar) =>
    [...new Set([bar.first, bar.last])].map((each) => calendarDay(each, i18n.language)).join(" – ");
  return (
    <TableUnder>
      <ScrollingTable label={t("costs.byDay")}>
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t("costs.day")}</th>
              {layers.map((layer) => (
                <th key={layer.key} className="end">
                  {layer.name ?? t("costs.others")}
                </th>
              ))}
              <th className="end">{t("costs.sum")}</th>
            </tr>
          </thead>
          <tbody>
            {bars
              .filter((bar) => bar.total > 0)
              .map((bar) => (
                <tr key={bar.first}>
                  <th>{day(bar)}</th>
                  {layers.map((layer) => (
                    <td key={layer.key} className="end">
                      {say(heightOf(bar, layer))}
                    </td>
                  ))}
                  <td className="end strong">{say(bar.total)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </ScrollingTable>
    </TableUnder>
  );
}
