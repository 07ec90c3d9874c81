import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** What the model saw in each call of a turn, rebuilt from the tape. */
export function sawQuery(turn: number) {
  return queryOptions({
    queryKey: ["saw", turn],
    queryFn: async ({ signal }) => {
      const params = { path: { turn_id: turn } };
      return (await body(api.GET("/api/turns/{turn_id}/saw", { params, signal }))).calls;
    },
  });
}
