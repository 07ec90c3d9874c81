import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { WordSource } from "@/api/types";

export type TermFilter = { repository?: number; q?: string; source?: WordSource };

/** Business words tied to code words, of the repositories one may read. */
export function termsQuery(filter: TermFilter) {
  return infiniteQueryOptions({
    queryKey: ["vocabulary", filter],
    queryFn: ({ pageParam, signal }) =>
      body(
        api.GET("/api/vocabulary", {
          params: { query: { ...filter, ...(pageParam ? { cursor: pageParam } : {}) } },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
}
