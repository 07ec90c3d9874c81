/** The budgets that hold, each with what can be done with it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Budget } from "@/api/types";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { problemText } from "@/lib/problems";
import { percent } from "@/lib/wording";
import { endBudget } from "../api/end-budget";
import { amount, whose } from "../words/budgets";
import { BudgetBar } from "./budget-bar";
import { useCostChange } from "./use-cost-change";

type Props = { budgets: Budget[]; onChange: (budget: Budget) => void };

export function BudgetList({ budgets, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const [ending, setEnding] = useState<Budget | null>(null);
  const end = useCostChange(endBudget, () => setEnding(null));
  return (
    <ul className="card budget-list">
      {budgets.map((budget) => (
        <li key={budget.id}>
          <BudgetBar budget={budget} />
          <p className="row wrap small muted">
            <span className="grow">
              {t("budgets.details", {
                reserved: amount(budget.reserved, budget, i18n.language),
                expected: amount(budget.expected, budget, i18n.language),
                share: percent(budget.warn_at, i18n.language),
              })}
              {Number(budget.estimated) > 0 &&
                ` · ${t("budgets.estimated", {
                  estimated: amount(budget.estimated, budget, i18n.language),
                })}`}
            </span>
            <button type="button" className="text-button" onClick={() => onChange(budget)}>
              {t("budgets.change")}
            </button>
            <button type="button" className="text-button" onClick={() => setEnding(budget)}>
              {t("budgets.end")}
            </button>
          </p>
        </li>
      ))}
      {ending && (
        <ConfirmDialog
          title={t("budgets.endTitle", { whose: whose(ending, t) })}
          text={t("budgets.endText")}
          act={t("budgets.end")}
          busy={end.isPending}
          trouble={end.error ? problemText(end.error, t) : null}
          onClose={() => setEnding(null)}
          onConfirm={() => end.mutate(ending.id)}
        />
      )}
    </ul>
  );
}
