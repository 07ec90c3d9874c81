/** What a topic's page shows, as values: the result of folding its entries. */
import type { KeptOutput } from "@/components/long-output";

import type { Overload } from "./overloads";
import type { Reference } from "./references";

export type Place = {
  /** The id the answer's text uses, such as `e3`. */
  marker: string;
  evidence: number;
  repository: string;
  path: string;
  startLine: number;
  endLine: number;
};

export type Citation = Place & { number: number; valid: boolean };

export type Reason = { kind: string; query: string; code: string };

export type Routing = {
  repository: string;
  certainty: "high" | "medium" | "low";
  reasons: Reason[];
  runnerUp: string | null;
  /** The two fit about equally well: the answer asks back. */
  tied: boolean;
};

type StepState = "running" | "done" | "failed" | "interrupted" | "withheld";

export type Step = {
  call: string;
  tool: string;
  state: StepState;
  args: Record<string, unknown>;
  data: Record<string, unknown>;
  seconds: number | null;
  error: string | null;
  /** The whole of an output that was cut. */
  output: KeptOutput | null;
};

/** Something the agent said on its way, and the step it came before. */
type Remark = { seq: number; text: string; before: number };

export type Answer = {
  seq: number;
  step: number | null;
  text: string;
  language: string | null;
  citations: Place[];
  invalid: string[];
  verified: boolean;
  partial: boolean;
  found: boolean | null;
  withheld: boolean;
};

export type Correction = {
  seq: number;
  text: string;
  actor: string;
  date: string;
  withheld: boolean;
};

type Trouble = { seq: number; kind: string; message: string };

export type Question = {
  seq: number;
  text: string;
  date: string;
  actor: string;
  withheld: boolean;
};

export type TurnStory = {
  turn: number;
  question: Question | null;
  /** Discarded when it ends, unless it is kept before. */
  experiment: boolean;
  /** What the question names, as it was looked up. */
  references: Reference[];
  /** Messages added while the turn ran, and taken up by it. */
  added: Question[];
  takenUpBy: number | null;
  routing: Routing | null;
  steps: Step[];
  /** Where the model's memory was full while this turn ran. */
  overloads: Overload[];
  remarks: Remark[];
  answer: Answer | null;
  /** The last step that left anything on the tape; live text of it or before is superseded. */
  lastStep: number;
  calling: boolean;
  corrections: Correction[];
  troubles: Trouble[];
  ended: { status: string; reason: string; date: string } | null;
};

export type Story = {
  turns: TurnStory[];
  /** Every place a tool minted in this topic, by marker. */
  places: Record<string, Place>;
  head: number;
};
