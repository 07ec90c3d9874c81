import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

const glance = 2_000;

/** One set: its questions with their newest outcomes, and its runs, newest first. */
export function evaluationQuery(id: number) {
  return queryOptions({
    queryKey: ["evaluation", id],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/evaluations/{evaluation_id}", {
          params: { path: { evaluation_id: id } },
          signal,
        }),
      ),
    refetchInterval: (query) => (query.state.data?.running ? glance : false),
  });
}
