import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

const glance = 1_000;

/** A tape with its topics, forks, counts and cost; looked at again while it is being verified. */
export function tapeQuery(id: number) {
  return queryOptions({
    queryKey: ["tape", id],
    queryFn: ({ signal }) =>
      body(api.GET("/api/tapes/{tape_id}", { params: { path: { tape_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.verified?.pending ? glance : false),
  });
}
