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
  /** What its owner may do with an answer; null for other readers. */
  acts: AnswerActs | null;
};

export type AnswerActs = {
  onCorrect: (seq: number) => void;
  onPropose?: (seq: number) => void;
  /** From the newest anchor before the entry; undefined where there is none. */
  onAskFrom: ((seq: number) => void) | undefined;
};

export const TranscriptContext = createContext<Transcript | null>(null);

export function useTranscript(): Transcript {
  const transcript = useContext(TranscriptContext);
  if (!transcript) throw new Error("A part of a transcript is used outside one.");
  return transcript;
}
