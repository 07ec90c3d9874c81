/** What runs when topics start and end: in which order, how it did lately, switched on or off. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { isRefused } from "@/api/errors";
import type { Hook, HookStage } from "@/api/types";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { Trouble } from "@/components/trouble";
import { hooksQuery } from "@/features/hooks/api/list-hooks";
import { switchHook } from "@/features/hooks/api/switch-hook";
import { HookRow } from "@/features/hooks/components/hook-row";
import { usePageTitle } from "@/lib/page-title";
import { problemText } from "@/lib/problems";
import { AdministrationTabs } from "./administration-tabs";
import { useRowKeys } from "./row-keys";

const stages: HookStage[] = [
  "pre_topic_initial",
  "post_topic_initial",
  "pre_topic_finalized",
  "post_topic_finalized",
];

function useSwitch() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: switchHook,
    onSuccess: (hooks) => cache.setQueryData(hooksQuery.queryKey, hooks),
  });
}

function Stage({ stage, hooks }: { stage: HookStage; hooks: Hook[] }) {
  const { t } = useTranslation();
  const act = useSwitch();
  return (
    <section className="hook-stage">
      <h2>
        {t(`hooks.stage.${stage}`)} <code>{stage}</code>
      </h2>
      <p className="small muted">{t(`hooks.stageHint.${stage}`)}</p>
      <Trouble text={act.error ? problemText(act.error, t) : null} />
      <ol className="card">
        {hooks.length === 0 && <li className="hook-row muted">{t("hooks.none")}</li>}
        {hooks.map((hook) => (
          <HookRow
            key={hook.hook}
            hook={hook}
            busy={act.isPending}
            onSwitch={(on) => act.mutate({ path: hook.hook, on })}
          />
        ))}
      </ol>
    </section>
  );
}

export function HooksPage() {
  const { t } = useTranslation();
  const query = useQuery(hooksQuery);
  useRowKeys();
  usePageTitle(t("hooks.title"));
  if (isRefused(query.error)) {
    return (
      <main className="page">
        <StatePanel icon="lock" title={t("states.forbidden")} text={t("hooks.forbidden")} />
      </main>
    );
  }
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("hooks.title")}</h1>
          <p>{t("hooks.lead")}</p>
        </div>
      </header>
      <AdministrationTabs />
      {query.isPending && <Skeleton text={t("hooks.loading")} />}
      {query.error && !query.data && (
        <Failure title={t("states.page")} error={query.error} onRetry={() => query.refetch()} />
      )}
      {query.data &&
        stages.map((stage) => (
          <Stage
            key={stage}
            stage={stage}
            hooks={query.data.filter((hook) => hook.stage === stage)}
          />
        ))}
    </main>
  );
}
