import { api, body } from "@/api/client";

/** Asks an experiment's question as an ordinary one of the same topic. */
export function askAgain(topic: number, text: string, key: string) {
  return body(
    api.POST("/api/questions", {
      params: { header: { "Idempotency-Key": key } },
      body: { text, topic, branch: "", keep_open: false, experiment: false, after_anchor: "" },
    }),
  );
}
