import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

const limit = 20;

/** The newest commits that changed the cited file, up to its commit. */
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
