/** Budgets of each month: for the company, people, groups and models. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isRefused } from "@/api/errors";
import type { Budget } from "@/api/types";
import { Failure } from "@/components/failure";
import { Icon } from "@/components/icon";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { costsQuery } from "@/features/costs/api/get-costs";
import { budgetsQuery } from "@/features/costs/api/list-budgets";
import { BudgetList } from "@/features/costs/components/budget-list";
import { BudgetSheet } from "@/features/costs/components/budget-sheet";
import { groupsQuery } from "@/features/repositories/api/list-groups";
import { usePageTitle } from "@/lib/page-title";
import { CostsForbidden, CostTabs } from "./cost-tabs";

/** Those who have spent in the last year, and every group and model there is. */
function useChoices() {
  const { data: costs } = useQuery(costsQuery({ days: 365 }));
  const { data: groups } = useQuery(groupsQuery);
  const named = (id: number, name: string): [string, string] => [String(id), name];
  return {
    people: (costs?.people ?? []).flatMap(({ person }) =>
      person ? [named(person.id, person.display_name)] : [],
    ),
    groups: (groups ?? []).map(({ id, name }) => named(id, name)),
    models: (costs?.models ?? []).map(({ model }): [string, string] => [model, model]),
  };
}

export function BudgetsPage() {
  const { t } = useTranslation();
  const { data: budgets, error, isPending, refetch } = useQuery(budgetsQuery);
  const [open, setOpen] = useState<Budget | "new" | null>(null);
  const choices = useChoices();
  usePageTitle(t("budgets.title"));
  if (isRefused(error)) return <CostsForbidden />;
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1 id="page-title">{t("budgets.title")}</h1>
          <p>{t("budgets.lead")}</p>
        </div>
        <button type="button" className="button primary" onClick={() => setOpen("new")}>
          <Icon name="plus" />
          {t("budgets.add")}
        </button>
      </header>
      <CostTabs />
      {isPending && <Skeleton text={t("states.loadingCosts")} />}
      {error && !budgets && (
        <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />
      )}
      {budgets?.length === 0 && (
        <div className="card">
          <StatePanel icon="cost" title={t("budgets.none")} text={t("budgets.noneHint")} />
        </div>
      )}
      {budgets && budgets.length > 0 && <BudgetList budgets={budgets} onChange={setOpen} />}
      <p className="small muted cost-note">{t("budgets.tokensOnly")}</p>
      {open && (
        <BudgetSheet
          budget={open === "new" ? null : open}
          choices={choices}
          onClose={() => setOpen(null)}
        />
      )}
    </main>
  );
}
