/** The four figures one sees first, each beside the period before. */
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { CostFigures, Costs } from "@/api/types";
import { count, percent } from "@/lib/wording";
import { amountIn, change, short, sum, tokensOf } from "../words/figures";

function against(now: number, before: number, t: TFunction, language: string): string {
  const share = change(now, before);
  if (share === null) return t("costs.nothingBefore");
  if (Math.abs(share) < 0.005) return t("costs.same");
  const value = percent(Math.abs(share), language);
  return share > 0 ? t("costs.more", { value }) : t("costs.less", { value });
}

function Figure({ name, value, hint }: { name: string; value: string; hint: string }) {
  return (
    <div>
      <dt className="small muted">{name}</dt>
      <dd className="headline-value">{value}</dd>
      <dd className="headline-hint">{hint}</dd>
    </div>
  );
}

function perTurn(figures: CostFigures, currency: string): number {
  return figures.turns === 0 ? 0 : amountIn(figures, currency) / figures.turns;
}

export function Headline({ costs }: { costs: Costs }) {
  const { t, i18n } = useTranslation();
  const { total, previous, currency } = costs;
  const compared = (of: (figures: CostFigures) => number) =>
    against(of(total), of(previous), t, i18n.language);
  const money = (value: number) => {
    if (currency) return sum(value, currency, i18n.language);
    return total.unknown_calls > 0 ? t("turn.priceUnknown") : t("costs.nothingSpent");
  };
  const unknown =
    total.unknown_calls > 0 ? t("costs.unknownCalls", { count: total.unknown_calls }) : "";
  const cached =
    total.cached_share === null
      ? ""
      : t("costs.cachedShare", { value: percent(total.cached_share, i18n.language) });
  return (
    <dl className="card headline">
      <Figure
        name={t("costs.spent")}
        value={money(amountIn(total, currency))}
        hint={[compared((each) => amountIn(each, currency)), unknown].filter(Boolean).join(" · ")}
      />
      <Figure
        name={t("costs.tokens")}
        value={short(tokensOf(total))}
        hint={[compared(tokensOf), cached].filter(Boolean).join(" · ")}
      />
      <Figure
        name={t("costs.turns")}
        value={count(total.turns, i18n.language)}
        hint={compared((each) => each.turns)}
      />
      <Figure
        name={t("costs.perTurn")}
        value={total.turns === 0 ? t("costs.noTurns") : money(perTurn(total, currency))}
        hint={compared((each) => perTurn(each, currency))}
      />
    </dl>
  );
}
