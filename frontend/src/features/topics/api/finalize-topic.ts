import { api, body } from "@/api/client";

/** Finishes a topic; with a turn running, as soon as that turn ends. */
export function finalizeTopic(id: number) {
  return body(api.POST("/api/topics/{topic_id}/finalize", { params: { path: { topic_id: id } } }));
}
