import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** Who last changed the cited lines, as of their commit. */
export function blameQuery(evidence: number) {
  return queryOptions({
    queryKey: ["blame", evidence],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/evidence/{evidence_id}/blame", {
          params: { path: { evidence_id: evidence } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
