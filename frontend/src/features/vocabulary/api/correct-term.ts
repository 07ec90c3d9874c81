import { api, body } from "@/api/client";
import type { NewCorrection } from "@/api/types";

/** Adds a pair of words, or switches a mined one off. */
export function correctTerm(correction: NewCorrection) {
  return body(api.POST("/api/vocabulary", { body: correction }));
}
