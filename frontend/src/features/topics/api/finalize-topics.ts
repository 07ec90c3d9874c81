import { api, body } from "@/api/client";

/** Finishes several topics, each for itself; says what became of each. */
export function finalizeTopics(topics: number[]) {
  return body(api.POST("/api/topics/finalize", { body: { topics } }));
}
