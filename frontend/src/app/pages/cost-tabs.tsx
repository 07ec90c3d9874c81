/** The ways between costs, budgets and prices, and what others than administrators find there. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { StatePanel } from "@/components/state-panel";

export function CostTabs() {
  const { t } = useTranslation();
  return (
    <nav className="filters page-tabs" aria-label={t("costs.title")}>
      <Link className="chip" to="/costs" activeOptions={{ exact: true, includeSearch: false }}>
        {t("costs.figures")}
      </Link>
      <Link className="chip" to="/costs/budgets">
        {t("budgets.title")}
      </Link>
      <Link className="chip" to="/costs/prices">
        {t("prices.title")}
      </Link>
    </nav>
  );
}

export function CostsForbidden() {
  const { t } = useTranslation();
  return (
    <main className="page lone">
      <StatePanel
        heading="h1"
        icon="lock"
        title={t("states.forbidden")}
        text={t("costs.forbidden")}
      />
    </main>
  );
}
