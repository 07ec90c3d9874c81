/** Where the model's memory was full: what the anchor says it closed, and what was kept of that. */
import type { Entry } from "@/api/types";
import { number, object, objects, text } from "@/lib/read";

const kinds = ["asked", "answered", "read", "looked", "marked", "begins", "said"] as const;

export type Remembered = {
  kind: (typeof kinds)[number];
  text: string;
  seqs: number[];
};

export type Overload = {
  tape: number;
  topic: number | null;
  seq: number;
  /** The first entry of the segment it closed. */
  first: number;
  byModel: boolean;
  statements: Remembered[];
};

/** Ids of evidence say something to the model alone. */
const marker = /\s?[[【]\s*e\d+[^\]】]{0,40}[\]】]\s?/gi;

function rememberedFrom(said: Record<string, unknown>): Remembered[] {
  const kind = kinds.find((one) => one === said.kind);
  const told = text(said.text).replace(marker, " ").trim();
  const seqs = Array.isArray(said.seqs) ? said.seqs.map(number).filter((seq) => seq !== null) : [];
  return kind && told ? [{ kind, text: told, seqs }] : [];
}

export function overloadIn(entry: Entry): Overload | null {
  const payload = object(entry.payload);
  if (payload.name !== "brain_overload") return null;
  const state = object(payload.state);
  const closes = Array.isArray(state.closes) ? state.closes : [];
  return {
    tape: entry.tape,
    topic: entry.topic,
    seq: entry.seq,
    first: number(closes[0]) ?? entry.seq,
    byModel: state.summed_up_by === "model",
    statements: objects(state.statements).flatMap(rememberedFrom),
  };
}
