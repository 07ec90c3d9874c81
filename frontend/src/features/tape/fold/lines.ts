/** Entries as they are listed: one by one, and those of a fork that is not merged set apart. */
import type { Entry, Fork } from "@/api/types";

export type Line = { entry: Entry } | { fork: Fork; entries: Entry[] };

export function linesOf(entries: Entry[], forks: Fork[]): Line[] {
  const apart = new Map(forks.filter((each) => each.state !== "merged").map((f) => [f.id, f]));
  const lines: Line[] = [];
  for (const entry of entries) {
    const fork = entry.fork === null ? undefined : apart.get(entry.fork);
    const last = lines.at(-1);
    if (!fork) lines.push({ entry });
    else if (last && "fork" in last && last.fork.id === fork.id) last.entries.push(entry);
    else lines.push({ fork, entries: [entry] });
  }
  return lines;
}
