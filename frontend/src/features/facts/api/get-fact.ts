import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** One fact with its versions and the topics it was drawn from. */
export function factQuery(id: number) {
  return queryOptions({
    queryKey: ["facts", id],
    queryFn: ({ signal }) =>
      body(api.GET("/api/facts/{fact_id}", { params: { path: { fact_id: id } }, signal })),
  });
}
