/** The company's prices: of what, since when, and how much for a million tokens. */
import { useTranslation } from "react-i18next";
import type { Price } from "@/api/types";
import { ScrollingTable } from "@/components/scrolling-table";
import { calendarDay } from "@/lib/wording";
import { endPrice } from "../api/end-price";
import { useCostChange } from "./use-cost-change";

const rates = ["input", "cached", "output", "reasoning"] as const;

export function PriceTable({ prices }: { prices: Price[] }) {
  const { t, i18n } = useTranslation();
  const end = useCostChange(endPrice);
  return (
    <div className="card cost-card">
      <ScrollingTable label={t("prices.title")}>
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t("prices.model")}</th>
              {rates.map((rate) => (
                <th key={rate} className="end">
                  {t(`prices.${rate}`)}
                </th>
              ))}
              <th>{t("prices.currency")}</th>
              <th>{t("prices.from")}</th>
              <th>{t("prices.state")}</th>
            </tr>
          </thead>
          <tbody>
            {prices.map((price) => (
              <tr key={price.id} className={price.state === "ended" ? "muted" : undefined}>
                <th className="mono path">
                  {[price.model, price.endpoint].filter(Boolean).join(" @ ")}
                </th>
                {rates.map((rate) => (
                  <td key={rate} className="end">
                    {price[rate]}
                  </td>
                ))}
                <td>{price.currency}</td>
                <td>{calendarDay(price.valid_from, i18n.language)}</td>
                <td>
                  {t(`prices.${price.state}`)}{" "}
                  {price.state !== "ended" && (
                    <button
                      type="button"
                      className="text-button"
                      onClick={() => end.mutate(price.id)}
                    >
                      {t("prices.end")}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollingTable>
    </div>
  );
}
