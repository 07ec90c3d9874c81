import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** Whether cited lines still hold, and whether their branch has moved under them since. */
export function evidenceStatesQuery(ids: number[]) {
  return queryOptions({
    queryKey: ["evidence-states", ids.join(",")],
    queryFn: async ({ signal }) => {
      const { results } = await body(
        api.GET("/api/evidence", { params: { query: { ids: ids.join(",") } }, signal }),
      );
      return results;
    },
    enabled: ids.length > 0,
    refetchInterval: 60_000,
  });
}
