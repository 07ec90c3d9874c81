/** Everything asked: instant search, a status filter, and the list by pages. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Topic } from "@/api/types";
import { Failure } from "@/components/failure";
import { Icon } from "@/components/icon";
import { Skeleton } from "@/components/skeleton";
import { HitsOnTapes } from "@/features/tape/components/hits-on-tapes";
import { topicsQuery } from "@/features/topics/api/list-topics";
import { SearchBox, StatusFilter } from "@/features/topics/components/topic-filters";
import { TopicRow } from "@/features/topics/components/topic-row";
import { usePageTitle } from "@/lib/page-title";
import { NoTopics } from "./no-topics";
import { useRowKeys } from "./row-keys";
import { useTopicFilter } from "./topic-filter";
import { TopicsRail } from "./topics-rail";

/** While something is being answered the list looks again by itself. */
const glance = 3_000;

function List({ topics }: { topics: Topic[] }) {
  return (
    <ul>
      {topics.map((topic) => (
        <TopicRow key={topic.id} topic={topic} />
      ))}
    </ul>
  );
}

export function TopicsPage() {
  const { t } = useTranslation();
  const { q, status, text, setText, setStatus } = useTopicFilter();
  const query = useInfiniteQuery({
    ...topicsQuery({ ...(q ? { q } : {}), ...(status ? { status } : {}) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.results.some((each) => each.busy)) ? glance : false,
  });
  const topics = query.data?.pages.flatMap((page) => page.results) ?? [];
  useRowKeys();
  usePageTitle(t("topics.title"));
  const clear = () => {
    setText("");
    void setStatus();
  };
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("topics.title")}</h1>
          <p>{t("topics.lead")}</p>
        </div>
        <Link className="button primary only-narrow" to="/">
          <Icon name="plus" />
          {t("nav.newTopic")}
        </Link>
      </header>
      <div className="with-rail">
        <div>
          <SearchBox text={text} onChange={setText} />
          <div className="filter-line">
            <StatusFilter status={status} onChange={setStatus} />
            <span className="small muted nowrap" role="status">
              {query.data && t("topics.shown", { count: topics.length })}
            </span>
          </div>
          <div className="card">
            {query.isPending && <Skeleton text={t("states.loadingTopics")} />}
            {query.error && !query.data && (
              <Failure
                title={t("states.page")}
                error={query.error}
                onRetry={() => query.refetch()}
              />
            )}
            {query.data && topics.length === 0 && (
              <NoTopics filtered={q !== "" || status !== undefined} words={q} onClear={clear} />
            )}
            <List topics={topics} />
          </div>
          {query.hasNextPage && (
            <button
              type="button"
              className="button more"
              disabled={query.isFetchingNextPage}
              onClick={() => query.fetchNextPage()}
            >
              {t("topics.more")}
            </button>
          )}
          <HitsOnTapes q={q} />
        </div>
        <TopicsRail />
      </div>
    </main>
  );
}
