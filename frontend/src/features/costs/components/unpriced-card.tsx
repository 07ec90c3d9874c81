/** Models whose price is not known: they are in none of the sums of money. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CostModel } from "@/api/types";
import { count } from "@/lib/wording";
import { short, tokensOf } from "../words/figures";
import { PriceSheet } from "./price-sheet";

export function UnpricedCard({ models }: { models: CostModel[] }) {
  const { t, i18n } = useTranslation();
  const [pricing, setPricing] = useState<string | null>(null);
  return (
    <section className="card cost-card" aria-labelledby="costs-unpriced">
      <h2 id="costs-unpriced">
        {t("costs.unpriced")}{" "}
        {models.length > 0 && <span className="tag warn">{models.length}</span>}
      </h2>
      {models.length === 0 ? (
        <p className="small muted">{t("costs.allPriced")}</p>
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t("costs.model")}</th>
              <th className="end">{t("costs.calls")}</th>
              <th className="end">{t("costs.tokens")}</th>
              <th className="end">
                <span className="hidden">{t("costs.setPrice")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {models.map((each) => (
              <tr key={each.model}>
                <th className="mono path">{each.model}</th>
                <td className="end">{count(each.unknown_calls, i18n.language)}</td>
                <td className="end">{short(tokensOf(each))}</td>
                <td className="end">
                  <button
                    type="button"
                    className="text-button"
                    onClick={() => setPricing(each.model)}
                  >
                    {t("costs.setPrice")}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="small muted cost-note">{t("costs.unknownIsNotZero")}</p>
      {pricing !== null && <PriceSheet model={pricing} onClose={() => setPricing(null)} />}
    </section>
  );
}
