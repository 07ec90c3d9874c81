import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** What the cited file defines, at its commit. */
export function outlineQuery(evidence: number) {
  return queryOptions({
    queryKey: ["outline", evidence],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/evidence/{evidence_id}/outline", {
          params: { path: { evidence_id: evidence } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
