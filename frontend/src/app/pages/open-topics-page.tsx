/** What people have open, for administrators: those longest without activity first, with the way to finish them. */
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { isRefused } from "@/api/errors";
import type { OpenTopic } from "@/api/types";
import { Failure } from "@/components/failure";
import { MoreButton } from "@/components/more-button";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { Trouble } from "@/components/trouble";
import { finalizeOpenTopic, openTopicsQuery } from "@/features/topics/api/open-topics";
import { OpenTopicRow } from "@/features/topics/components/open-topic-row";
import { usePageTitle } from "@/lib/page-title";
import { problemText } from "@/lib/problems";
import { AdministrationTabs } from "./administration-tabs";
import { useRowKeys } from "./row-keys";

function Rows({ topics }: { topics: OpenTopic[] }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const finish = useMutation({
    mutationFn: finalizeOpenTopic,
    onSuccess: () => cache.invalidateQueries({ queryKey: openTopicsQuery.queryKey }),
  });
  return (
    <>
      <Trouble text={finish.error ? problemText(finish.error, t) : null} />
      <ul className="card">
        {topics.map((topic) => (
          <OpenTopicRow
            key={topic.id}
            topic={topic}
            busy={finish.isPending}
            onFinish={() => finish.mutate(topic.id)}
          />
        ))}
      </ul>
    </>
  );
}

export function OpenTopicsPage() {
  const { t } = useTranslation();
  const query = useInfiniteQuery(openTopicsQuery);
  const topics = query.data?.pages.flatMap((page) => page.results) ?? [];
  useRowKeys();
  usePageTitle(t("openTopics.title"));
  if (isRefused(query.error)) {
    return (
      <main className="page">
        <StatePanel icon="lock" title={t("states.forbidden")} text={t("openTopics.forbidden")} />
      </main>
    );
  }
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("openTopics.title")}</h1>
          <p>{t("openTopics.lead")}</p>
        </div>
      </header>
      <AdministrationTabs />
      {query.isPending && <Skeleton text={t("states.loadingTopics")} />}
      {query.error && !query.data && (
        <Failure title={t("states.page")} error={query.error} onRetry={() => query.refetch()} />
      )}
      {query.data && topics.length === 0 && (
        <StatePanel icon="topics" title={t("openTopics.none")} text={t("openTopics.noneHint")} />
      )}
      {topics.length > 0 && <Rows topics={topics} />}
      <MoreButton pages={query} />
    </main>
  );
}
