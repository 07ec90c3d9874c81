/** Says that a budget the next question falls under is nearly or wholly used, before it stops anybody. */
import { useTranslation } from "react-i18next";
import type { Preview } from "@/api/types";
import { Icon } from "@/components/icon";
import { percent } from "@/lib/wording";

export function BudgetWarning({ budget }: { budget: Preview["budget"] | undefined }) {
  const { t, i18n } = useTranslation();
  if (!budget) return null;
  const share = percent(budget.share ?? 1, i18n.language);
  return (
    <p className="budget-warning" role="status">
      <Icon name="warning" />
      <span className="grow">{t(`budgetWarning.${budget.scope}.${budget.state}`, { share })}</span>
    </p>
  );
}
