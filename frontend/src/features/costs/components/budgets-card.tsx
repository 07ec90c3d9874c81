/** Budgets at a glance, and what no budget in money can hold. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Costs } from "@/api/types";
import { listText } from "@/lib/wording";
import { budgetsQuery } from "../api/list-budgets";
import { sum } from "../words/figures";
import { BudgetBar } from "./budget-bar";

function Forecast({ costs }: { costs: Costs }) {
  const { t, i18n } = useTranslation();
  const amounts = costs.forecast.money.map((money) =>
    sum(Number(money.amount), money.currency, i18n.language),
  );
  if (amounts.length === 0) return null;
  return (
    <p className="small">{t("costs.forecast", { value: listText(amounts, i18n.language) })}</p>
  );
}

export function BudgetsCard({ costs }: { costs: Costs }) {
  const { t } = useTranslation();
  const { data: budgets } = useQuery(budgetsQuery);
  return (
    <section className="card cost-card" aria-labelledby="costs-budgets">
      <div className="row">
        <h2 className="grow" id="costs-budgets">
          {t("budgets.title")}
        </h2>
        <Link className="small" to="/costs/budgets">
          {t("budgets.change")}
        </Link>
      </div>
      {budgets?.length === 0 && <p className="small muted">{t("budgets.none")}</p>}
      {budgets?.map((budget) => (
        <BudgetBar key={budget.id} budget={budget} />
      ))}
      <Forecast costs={costs} />
      <p className="small muted cost-note">
        {t("budgets.overlap")} {costs.unpriced.length > 0 && t("budgets.tokensOnly")}
      </p>
    </section>
  );
}
