import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** A topic with its turns. */
export function topicQuery(id: number) {
  return queryOptions({
    queryKey: ["topic", id],
    queryFn: ({ signal }) =>
      body(api.GET("/api/topics/{topic_id}", { params: { path: { topic_id: id } }, signal })),
  });
}
