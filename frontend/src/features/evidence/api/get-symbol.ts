import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** Where a name is defined and used, seen from a piece of evidence. */
export function symbolQuery(evidence: number, name: string) {
  return queryOptions({
    queryKey: ["symbol", evidence, name],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/evidence/{evidence_id}/symbol", {
          params: { path: { evidence_id: evidence }, query: { name } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
}
