import { api, body } from "@/api/client";

/** Closes a tape for good; the answer names the one that goes on under its name. */
export function resetTape(tape: number, why: string) {
  const params = { path: { tape_id: tape } };
  return body(api.POST("/api/tapes/{tape_id}/reset", { params, body: { why } }));
}
