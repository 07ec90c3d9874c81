/** The accepted facts that a turn was told of: noted before it, or looked up by the agent. */
import type { Entry } from "@/api/types";
import { type Json, number, object, objects, text } from "@/lib/read";

export type UsedFact = {
  fact: number;
  text: string;
  contributor: { id: number; name: string };
  acceptedBy: string;
  acceptedAt: string | null;
};

function factFrom(said: Json): UsedFact | null {
  const fact = number(said.fact);
  const contributor = number(said.contributor);
  if (fact === null || contributor === null) return null;
  return {
    fact,
    text: text(said.text),
    contributor: { id: contributor, name: text(said.contributor_name) },
    acceptedBy: text(said.accepted_by),
    acceptedAt: text(said.accepted_at) || null,
  };
}

function toldIn(entry: Entry): Json[] {
  const payload = object(entry.payload);
  if (entry.kind === "anchor") return objects(object(payload.state).facts);
  if (entry.kind !== "tool_result") return [];
  return objects(payload.results).flatMap((result) =>
    text(result.name) === "look_up_facts" ? objects(object(result.data).facts) : [],
  );
}

/** By turn, each fact once, in the order they were told. */
export function factsByTurn(entries: Entry[]): ReadonlyMap<number, UsedFact[]> {
  const found = new Map<number, UsedFact[]>();
  for (const entry of entries) {
    if (entry.turn === null) continue;
    for (const said of toldIn(entry)) {
      const fact = factFrom(said);
      const known = found.get(entry.turn) ?? [];
      if (!fact || known.some((each) => each.fact === fact.fact)) continue;
      found.set(entry.turn, [...known, fact]);
    }
  }
  return found;
}
