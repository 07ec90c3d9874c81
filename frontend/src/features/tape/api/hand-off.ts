import { api, body } from "@/api/client";
import type { Handoff } from "@/api/types";

/** Begins a new phase: an anchor that the window starts after. */
export function handOff(tape: number, said: Handoff) {
  const params = { path: { tape_id: tape } };
  return body(api.POST("/api/tapes/{tape_id}/handoff", { params, body: said }));
}
