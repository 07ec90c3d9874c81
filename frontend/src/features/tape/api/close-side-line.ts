import { api, body } from "@/api/client";

/** Merges a side line into the tape, or hides it from all but an inspection. */
export function closeSideLine(tape: number, fork: number, how: "merge" | "discard") {
  const params = { path: { tape_id: tape, fork_id: fork } };
  return body(
    api.POST(`/api/tapes/{tape_id}/forks/{fork_id}/${how}`, { params, body: { why: "" } }),
  );
}
