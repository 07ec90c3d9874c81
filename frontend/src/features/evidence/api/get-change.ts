import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** What became of the cited lines on their branch; asked anew, since the branch moves on. */
export function changeQuery(evidence: number) {
  return queryOptions({
    queryKey: ["change", evidence],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/evidence/{evidence_id}/change", {
          params: { path: { evidence_id: evidence } },
          signal,
        }),
      ),
  });
}
