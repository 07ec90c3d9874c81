import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { TopicStatus } from "@/api/types";

export type TopicFilter = { q?: string; status?: TopicStatus };

/** Topics one may see, newest activity first, a page at a time. */
export function topicsQuery(filter: TopicFilter) {
  return infiniteQueryOptions({
    queryKey: ["topics", filter.q ?? "", filter.status ?? ""],
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
