/** The tape from its first entry to its last: finished topics folded, the newest open. */
import { useMemo } from "react";
import { laidOut } from "../fold/stretches";
import { Fold } from "./fold";
import { StretchEntries } from "./stretch-entries";
import { useTape } from "./tape-context";

export function WholeTape() {
  const { tape } = useTape();
  const sections = useMemo(() => laidOut(tape), [tape]);
  return sections.map((section) =>
    section.folded ? (
      <Fold key={section.first} section={section} />
    ) : (
      <StretchEntries key={section.first} first={section.first} last={section.last} />
    ),
  );
}
