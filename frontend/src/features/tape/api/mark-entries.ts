import { api, body } from "@/api/client";
import type { NewMark } from "@/api/types";

/** Marks entries with a note that the model is shown from now on. */
export function markEntries(tape: number, mark: NewMark) {
  const params = { path: { tape_id: tape } };
  return body(api.POST("/api/tapes/{tape_id}/marks", { params, body: mark }));
}
