/** Entries in their order, forks that are not merged set apart. */
import type { Entry } from "@/api/types";
import { linesOf } from "../fold/lines";
import { EntryLine } from "./entry-line";
import { ForkInset } from "./fork-inset";
import { useTape } from "./tape-context";

export function EntryList({ entries }: { entries: Entry[] }) {
  const { tape } = useTape();
  return (
    <ol className="entries">
      {linesOf(entries, tape.forks).map((line) =>
        "entry" in line ? (
          <EntryLine key={line.entry.seq} entry={line.entry} />
        ) : (
          <ForkInset key={line.entries[0]?.seq} fork={line.fork} entries={line.entries} />
        ),
      )}
    </ol>
  );
}
