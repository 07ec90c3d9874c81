import { api, body } from "@/api/client";
import type { EntryCorrection } from "@/api/types";

/** Says what is right where an entry is wrong; the entry stays as it is. */
export function correctEntry(tape: number, correction: EntryCorrection) {
  const params = { path: { tape_id: tape } };
  return body(api.POST("/api/tapes/{tape_id}/corrections", { params, body: correction }));
}
