/** What every part of a transcript may need: citations, what is open, and what a press does. */
import { createContext, useContext } from "react";
import type { UsedFact } from "../fold/facts";
import type { Citation } from "../fold/shapes";

export type Transcript = {
  citations: Citation[];
  /** The evidence now shown in the panel. */
  open: number | null;
  /** Evidence whose branch has moved under it. */
  changed: ReadonlySet<number>;
  /** Whether the reader may add to the vocabulary. */
  mayAddWords: boolean;
  onOpen: (evidence: number) => void;
  /** The accepted facts that turns were told of. */
  facts?: ReadonlyMap<number, UsedFact[]>;
  /** What its owner may do once a turn has ended; null for other readers. */
  acts: TurnActs | null;
};

export type TurnActs = {
  onCorrect: (seq: number) => void;
  onPropose?: (seq: number) => void;
  /** From the newest anchor before the entry; undefined where there is none. */
  onAskFrom: ((seq: number) => void) | undefined;
  /** Puts the question where the next one is written. */
  onAskAgain?: (question: string) => void;
};

export const TranscriptContext = createContext<Transcript | null>(null);

export function useTranscript(): Transcript {
  const transcript = useContext(TranscriptContext);
  if (!transcript) throw new Error("A part of a transcript is used outside one.");
  return transcript;
}
