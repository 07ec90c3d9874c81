/** What every part of the tape page may need: the tape, what is looked at, what a press does. */
import { createContext, useContext } from "react";
import type { Entry, EntryKind, TapeDetail } from "@/api/types";
import type { Named } from "../words/people";

export type TapeLook = {
  tape: TapeDetail;
  /** Those whose names are known. */
  people: Named[];
  /** The entry gone to, and the model call whose messages are shown. */
  entry: number | undefined;
  call: number | undefined;
  kinds: EntryKind[];
  forks: boolean;
  selected: ReadonlySet<number>;
  mayWrite: boolean;
  onSelect: (seq: number) => void;
  onGo: (seq: number) => void;
  onCall: (turn: number, seq: number) => void;
  onCorrect: (entry: Entry) => void;
  onAskFrom: (anchor: number) => void;
};

export const TapeContext = createContext<TapeLook | null>(null);

export function useTape(): TapeLook {
  const look = useContext(TapeContext);
  if (!look) throw new Error("A part of the tape page is used outside it.");
  return look;
}
