import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** A named view with what it shows today. */
export function openedViewQuery(id: number) {
  return queryOptions({
    queryKey: ["view", id],
    queryFn: ({ signal }) =>
      body(api.GET("/api/views/{view_id}", { params: { path: { view_id: id } }, signal })),
  });
}
