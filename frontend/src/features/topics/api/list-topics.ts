import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { TopicStatus, TopicWhose } from "@/api/types";

export type TopicFilter = {
  q?: string;
  whose?: TopicWhose;
  status?: TopicStatus;
  repository?: number;
  since?: string;
  cost_at_least?: string;
  unpriced?: true;
  pinned?: boolean;
};

/** Topics one may see, newest activity first, a page at a time. */
export function topicsQuery(filter: TopicFilter) {
  return infiniteQueryOptions({
    queryKey: ["topics", filter],
    queryFn: ({ signal, pageParam }) =>
      body(
        api.GET("/api/topics", {
          params: { query: { ...filter, ...(pageParam ? { cursor: pageParam } : {}) } },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
}

/** How many topics fit, and what they cost together. */
export function topicTotalsQuery(filter: TopicFilter) {
  return queryOptions({
    queryKey: ["topics", "totals", filter],
    queryFn: ({ signal }) =>
      body(api.GET("/api/topics/totals", { params: { query: filter }, signal })),
  });
}
