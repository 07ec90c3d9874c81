/** Writing tapes as data: each line becomes an entry with the next seq. */
import type { Entry } from "@/api/types";

type Line = Partial<Entry> & Pick<Entry, "kind">;

const blank: Omit<Entry, "kind" | "seq"> = {
  tape: 1,
  payload: {},
  meta: {},
  date: "2026-11-28T14:02:00Z",
  topic: 7,
  turn: 3,
  step: null,
  part: null,
  fork: 9,
  actor: "agent",
  why: "",
  withheld: false,
};

export function tape(...lines: Line[]): Entry[] {
  return lines.map((line, index) => ({ ...blank, seq: index + 1, ...line }));
}

export function asked(content: string, turn = 3): Line {
  return {
    kind: "message",
    payload: { role: "user", content },
    actor: "person:2",
    fork: null,
    turn,
  };
}

export function called(id: string, name: string, args: object, step = 1): Line {
  const call = { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
  return { kind: "tool_call", payload: { calls: [call] }, step, part: 0 };
}

export function returned(id: string, name: string, data: object, step = 1, error?: string): Line {
  const result = { id, name, content: "…", data, seconds: 0.5, error: error ?? null };
  return { kind: "tool_result", payload: { results: [result] }, step, part: 1 };
}

export function cited(id: string, evidence: number, path = "refunds/retry.py") {
  return {
    id,
    evidence_id: evidence,
    repository: "billing",
    path,
    start_line: 28,
    end_line: 45,
    valid: true,
  };
}

export function answered(content: string, citations: object[], turn = 3, step = 2): Line {
  const meta = { citations, verified: citations.length > 0, language: "en", partial: false };
  return { kind: "message", payload: { role: "assistant", content }, meta, turn, step, part: 0 };
}

export function event(name: string, data: object = {}, turn: number | null = 3): Line {
  return { kind: "event", payload: { name, data }, turn };
}
