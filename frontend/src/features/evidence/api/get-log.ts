import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

const limit = 20;

/** The commits that changed the cited lines, newest first, up to theirs. */
export function logQuery(evidence: number) {
  return queryOptions({
    queryKey: ["log", evidence],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/evidence/{evidence_id}/log", {
          params: { path: { evidence_id: evidence }, query: { limit } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
