import { api, body } from "@/api/client";

/** Keeps a topic at the top of one's list, or no longer. */
export function pinTopic({ id, pinned }: { id: number; pinned: boolean }) {
  const params = { path: { topic_id: id } };
  return pinned
    ? body(api.PUT("/api/topics/{topic_id}/pin", { params }))
    : body(api.DELETE("/api/topics/{topic_id}/pin", { params }));
}
