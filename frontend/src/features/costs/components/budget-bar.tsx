/** How a budget stands this month: spent of its limit, and whether that lasts. */
import { useTranslation } from "react-i18next";
import type { Budget } from "@/api/types";
import { amount, standing, whose } from "../words/budgets";

export function BudgetBar({ budget }: { budget: Budget }) {
  const { t, i18n } = useTranslation();
  const share = Math.min(1, Number(budget.spent) / Math.max(Number(budget.limit), 1e-9));
  const calm = budget.state === "within" && budget.enough;
  return (
    <div className={calm ? "budget-bar" : "budget-bar warned"}>
      <p className="row small">
        <span className="grow cut" dir="auto">
          {whose(budget, t)}
        </span>
        <span>
          {amount(budget.spent, budget, i18n.language)} /{" "}
          {amount(budget.limit, budget, i18n.language)}
          {budget.unit === "tokens" && ` ${t("budgets.tokens")}`}
        </span>
      </p>
      <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width={100 * share} height="6" />
      </svg>
      <p className="budget-standing">{standing(budget, t)}</p>
    </div>
  );
}
