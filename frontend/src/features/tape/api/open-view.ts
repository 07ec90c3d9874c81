import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** A named view with what it shows now: its owner may have closed it since the last look. */
export function openedViewQuery(id: number) {
  return queryOptions({
    queryKey: ["view", id],
    queryFn: ({ signal }) =>
      body(api.GET("/api/views/{view_id}", { params: { path: { view_id: id } }, signal })),
    staleTime: 0,
  });
}
