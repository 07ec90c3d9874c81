import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { ShareChange } from "@/api/types";

/** What is opened to others: a topic or a named view. */
export type Subject = { kind: "topic" | "view"; id: number };

/** Whom it is open to. */
export function sharesQuery({ kind, id }: Subject) {
  return queryOptions({
    queryKey: ["shares", kind, id],
    queryFn: async ({ signal }) => {
      const found =
        kind === "topic"
          ? api.GET("/api/topics/{topic_id}/shares", { params: { path: { topic_id: id } }, signal })
          : api.GET("/api/views/{view_id}/shares", { params: { path: { view_id: id } }, signal });
      return (await body(found)).results;
    },
  });
}

/** Opens it to somebody, or makes a link. */
export function share({ kind, id }: Subject, change: ShareChange) {
  if (kind === "topic") {
    const params = { path: { topic_id: id } };
    return body(api.POST("/api/topics/{topic_id}/shares", { params, body: change }));
  }
  const params = { path: { view_id: id } };
  return body(api.POST("/api/views/{view_id}/shares", { params, body: change }));
}

/** Takes an opening back at once. */
export function unshare({ kind, id }: Subject, opening: number) {
  if (kind === "topic") {
    const params = { path: { topic_id: id, share_id: opening } };
    return api.DELETE("/api/topics/{topic_id}/shares/{share_id}", { params });
  }
  const params = { path: { view_id: id, share_id: opening } };
  return api.DELETE("/api/views/{view_id}/shares/{share_id}", { params });
}
