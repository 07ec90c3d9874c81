import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { FactState } from "@/api/types";

export type FactFilter = {
  state?: FactState;
  repository?: number;
  person?: number;
  topic?: number;
  language?: "zh" | "en";
  q?: string;
};

/** Facts one may see, the newest change first. */
export function factsQuery(filter: FactFilter) {
  return infiniteQueryOptions({
    queryKey: ["facts", filter],
    queryFn: ({ pageParam, signal }) =>
      body(
        api.GET("/api/facts", {
          params: { query: { ...filter, ...(pageParam ? { cursor: pageParam } : {}) } },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    // The side bar's count comes from the same answer: a queue that is opened is asked for anew.
    staleTime: 0,
  });
}
