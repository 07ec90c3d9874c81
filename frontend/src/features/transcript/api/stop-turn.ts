import { api, body } from "@/api/client";

/** Asks a turn to stop; what was written so far is kept. */
export function stopTurn(id: number) {
  return body(api.POST("/api/turns/{turn_id}/stop", { params: { path: { turn_id: id } } }));
}
