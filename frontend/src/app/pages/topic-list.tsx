/** The rows of the topic list: pinned ones first where nothing narrows it, then page by page. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Topic } from "@/api/types";
import { Failure } from "@/components/failure";
import { MoreButton } from "@/components/more-button";
import { Skeleton } from "@/components/skeleton";
import { type TopicFilter, topicsQuery } from "@/features/topics/api/list-topics";
import { BulkBar } from "@/features/topics/components/bulk-bar";
import { TopicRow } from "@/features/topics/components/topic-row";
import { NoTopics } from "./no-topics";

/** While something is being answered the list looks again by itself. */
const glance = 3_000;

function useTopics(filter: TopicFilter, enabled = true) {
  const query = useInfiniteQuery({
    ...topicsQuery(filter),
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.results.some((each) => each.busy)) ? glance : false,
  });
  const topics = (enabled && query.data?.pages.flatMap((page) => page.results)) || [];
  return { query, topics };
}

function useSelection() {
  const [chosen, setChosen] = useState<number[]>([]);
  const select = (id: number, selected: boolean) =>
    setChosen((before) => (selected ? [...before, id] : before.filter((each) => each !== id)));
  return { chosen, select, clear: () => setChosen([]) };
}

type RowsProps = { topics: Topic[]; selection: ReturnType<typeof useSelection> };

function Rows({ topics, selection }: RowsProps) {
  return (
    <ul>
      {topics.map((topic) => (
        <TopicRow
          key={topic.id}
          topic={topic}
          selected={selection.chosen.includes(topic.id)}
          onSelect={(selected) => selection.select(topic.id, selected)}
        />
      ))}
    </ul>
  );
}

type Props = { q: string; wanted: TopicFilter; onClear: () => void };

export function TopicList({ q, wanted, onClear }: Props) {
  const { t } = useTranslation();
  const filtered = Object.keys(wanted).length > 0;
  const pinned = useTopics({ pinned: true }, !filtered);
  const { query, topics } = useTopics(filtered ? wanted : { pinned: false });
  const selection = useSelection();
  const shown = [...pinned.topics, ...topics];
  const similar = query.data?.pages[0]?.similar && topics.length > 0;
  return (
    <>
      {similar && (
        <p className="small muted list-note" role="status">
          {t("topics.similar")}
        </p>
      )}
      <div className="card">
        <BulkBar
          selected={shown.filter(({ id }) => selection.chosen.includes(id))}
          onClear={selection.clear}
        />
        {query.isPending && <Skeleton text={t("states.loadingTopics")} />}
        {query.error && !query.data && (
          <Failure title={t("states.page")} error={query.error} onRetry={() => query.refetch()} />
        )}
        {pinned.topics.length > 0 && (
          <section className="pinned" aria-label={t("topics.pinned")}>
            <Rows topics={pinned.topics} selection={selection} />
          </section>
        )}
        {query.data && shown.length === 0 && (
          <NoTopics filtered={filtered} words={q} onClear={onClear} />
        )}
        <Rows topics={topics} selection={selection} />
      </div>
      <MoreButton pages={query} />
    </>
  );
}
