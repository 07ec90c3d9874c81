/** What model calls cost: an administrator's ten seconds, and where to look further. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { isRefused } from "@/api/errors";
import type { Costs } from "@/api/types";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { costsQuery } from "@/features/costs/api/get-costs";
import { BudgetsCard } from "@/features/costs/components/budgets-card";
import { NarrowFilter, PeriodFilter } from "@/features/costs/components/cost-filters";
import { DaysCard } from "@/features/costs/components/days-card";
import { Headline } from "@/features/costs/components/headline";
import { HealthCard } from "@/features/costs/components/health-card";
import { Rankings } from "@/features/costs/components/rankings";
import { TopicsCard } from "@/features/costs/components/topics-card";
import { UnpricedCard } from "@/features/costs/components/unpriced-card";
import { type CostFilter, queryOf } from "@/features/costs/words/filter";
import { usePageTitle } from "@/lib/page-title";
import { calendarDay } from "@/lib/wording";
import { CostsForbidden, CostTabs } from "./cost-tabs";

function useFilter(): [CostFilter, (change: CostFilter) => void] {
  const filter = useSearch({ from: "/shell/costs" });
  const navigate = useNavigate({ from: "/costs" });
  const change = (wanted: CostFilter) =>
    void navigate({ search: (before) => ({ ...before, ...wanted }), replace: true });
  return [filter, change];
}

function Compared({ costs }: { costs: Costs }) {
  const { t, i18n } = useTranslation();
  const range = (first: string, last: string) =>
    [...new Set([first, last])].map((day) => calendarDay(day, i18n.language)).join(" – ");
  return (
    <p>
      {t("costs.compared", {
        now: range(costs.first, costs.last),
        before: range(costs.before.first, costs.before.last),
        zone: costs.time_zone,
      })}
    </p>
  );
}

function Dashboard({ costs, filter, onChange }: DashboardProps) {
  const { t } = useTranslation();
  const measure = {
    currency: costs.currency,
    tokens: filter.tokens === 1 || costs.currency === "",
  };
  return (
    <>
      <Headline costs={costs} />
      {costs.currencies.length > 1 && (
        <p className="small muted cost-note">{t("costs.notSummed")}</p>
      )}
      <div className="cost-grid first">
        <DaysCard
          costs={costs}
          measure={measure}
          onMeasure={({ currency, tokens }) =>
            onChange({ ...(currency ? { currency } : {}), tokens: tokens ? 1 : undefined })
          }
        />
        <BudgetsCard costs={costs} />
      </div>
      <div className="cost-grid">
        <Rankings costs={costs} filter={filter} measure={measure} onChange={onChange} />
        <TopicsCard topics={costs.topics} measure={measure} />
        <UnpricedCard models={costs.unpriced} />
        <HealthCard costs={costs} />
      </div>
    </>
  );
}

type DashboardProps = { costs: Costs; filter: CostFilter; onChange: (change: CostFilter) => void };

export function CostsPage() {
  const { t } = useTranslation();
  const [filter, change] = useFilter();
  const { data: costs, error, isPending, refetch } = useQuery(costsQuery(queryOf(filter)));
  usePageTitle(t("costs.title"));
  if (isRefused(error)) return <CostsForbidden />;
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1 id="page-title">{t("costs.title")}</h1>
          {costs && <Compared costs={costs} />}
        </div>
        <PeriodFilter filter={filter} onChange={change} />
      </header>
      <CostTabs />
      <NarrowFilter filter={filter} costs={costs} onChange={change} />
      {isPending && <Skeleton text={t("states.loadingCosts")} />}
      {error && !costs && (
        <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />
      )}
      {costs && <Dashboard costs={costs} filter={filter} onChange={change} />}
    </main>
  );
}
