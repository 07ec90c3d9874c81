import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** Files left out of a repository's index, counted by reason; with a reason, their list. */
export function skippedQuery(repository: number, reason = "") {
  return infiniteQueryOptions({
    queryKey: ["skipped", repository, reason],
    queryFn: ({ pageParam, signal }) =>
      body(
        api.GET("/api/repositories/{repository_id}/skipped", {
          params: {
            path: { repository_id: repository },
            query: {
              ...(reason ? { reason } : {}),
              ...(pageParam ? { cursor: pageParam } : {}),
            },
          },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
}
