import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

const context = 20;

/** The cited lines at their commit, with some lines around them. */
export function evidenceQuery(id: number) {
  return queryOptions({
    queryKey: ["evidence", id],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/evidence/{evidence_id}", {
          params: { path: { evidence_id: id }, query: { context } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
}
