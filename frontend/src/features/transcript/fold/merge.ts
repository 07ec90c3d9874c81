/** Merging entries that arrive by page and by stream: each seq once, in order. */
import type { Entry } from "@/api/types";

export function merge(known: Entry[], arrived: Entry[]): Entry[] {
  const last = known.at(-1)?.seq ?? 0;
  if (arrived.every((entry, index) => entry.seq > (arrived[index - 1]?.seq ?? last))) {
    return [...known, ...arrived];
  }
  const bySeq = new Map([...known, ...arrived].map((entry) => [entry.seq, entry]));
  return [...bySeq.values()].sort((one, other) => one.seq - other.seq);
}
