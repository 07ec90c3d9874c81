import { api, body } from "@/api/client";

/** Gives a topic another title, as an event on its tape. */
export function renameTopic({ id, title }: { id: number; title: string }) {
  return body(
    api.PATCH("/api/topics/{topic_id}", { params: { path: { topic_id: id } }, body: { title } }),
  );
}
