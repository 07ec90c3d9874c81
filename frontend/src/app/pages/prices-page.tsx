/** What models cost by the company's own list, and from when. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isRefused } from "@/api/errors";
import { Failure } from "@/components/failure";
import { Icon } from "@/components/icon";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { pricesQuery } from "@/features/costs/api/list-prices";
import { PriceSheet } from "@/features/costs/components/price-sheet";
import { PriceTable } from "@/features/costs/components/price-table";
import { usePageTitle } from "@/lib/page-title";
import { CostsForbidden, CostTabs } from "./cost-tabs";

export function PricesPage() {
  const { t } = useTranslation();
  const { data: prices, error, isPending, refetch } = useQuery(pricesQuery);
  const [setting, setSetting] = useState(false);
  usePageTitle(t("prices.title"));
  if (isRefused(error)) return <CostsForbidden />;
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1 id="page-title">{t("prices.title")}</h1>
          <p>{t("prices.lead")}</p>
        </div>
        <button type="button" className="button primary" onClick={() => setSetting(true)}>
          <Icon name="plus" />
          {t("costs.setPrice")}
        </button>
      </header>
      <CostTabs />
      {isPending && <Skeleton text={t("states.loadingCosts")} />}
      {error && !prices && (
        <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />
      )}
      {prices?.length === 0 && (
        <div className="card">
          <StatePanel icon="cost" title={t("prices.none")} text={t("prices.noneHint")} />
        </div>
      )}
      {prices && prices.length > 0 && <PriceTable prices={prices} />}
      {setting && <PriceSheet model="" onClose={() => setSetting(false)} />}
    </main>
  );
}
