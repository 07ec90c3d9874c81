import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { ShareChange } from "@/api/types";

/** Whom a topic is open to. */
export function sharesQuery(topic: number) {
  return queryOptions({
    queryKey: ["shares", topic],
    queryFn: async ({ signal }) => {
      const params = { path: { topic_id: topic } };
      const found = await body(api.GET("/api/topics/{topic_id}/shares", { params, signal }));
      return found.results;
    },
  });
}

/** Opens a topic to somebody, or makes a link. */
export function shareTopic({ topic, change }: { topic: number; change: ShareChange }) {
  const params = { path: { topic_id: topic } };
  return body(api.POST("/api/topics/{topic_id}/shares", { params, body: change }));
}

/** Takes an opening back at once. */
export function unshareTopic({ topic, share }: { topic: number; share: number }) {
  const params = { path: { topic_id: topic, share_id: share } };
  return api.DELETE("/api/topics/{topic_id}/shares/{share_id}", { params });
}
