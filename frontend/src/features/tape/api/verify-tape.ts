import { api, body } from "@/api/client";

/** Has a worker check every hash of a tape; what it finds stands with the tape. */
export function verifyTape(tape: number) {
  return body(api.POST("/api/tapes/{tape_id}/verify", { params: { path: { tape_id: tape } } }));
}
