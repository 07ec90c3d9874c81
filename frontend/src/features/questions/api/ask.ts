import { api, body } from "@/api/client";
import type { Question } from "@/api/types";

/** Asks; the same key sent again is the same question, so a double click makes one turn. */
export function ask(question: Question, idempotencyKey: string) {
  return body(
    api.POST("/api/questions", {
      params: { header: { "Idempotency-Key": idempotencyKey } },
      body: question,
    }),
  );
}
