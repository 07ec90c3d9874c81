/** Reading what an event says of a model call. */
import type { Entry } from "@/api/types";
import { type Json, number, object, text } from "@/lib/read";

export type Call = {
  ended: boolean;
  model: string;
  status: string;
  tokens: number | null;
  price: string | null;
  currency: string | null;
  seconds: number | null;
};

const names = ["model_call_started", "model_call_ended"];

function tokensOf(usage: Json): number | null {
  const counts = ["input", "cached", "output", "reasoning"].map((key) => number(usage[key]));
  if (counts.every((count) => count === null)) return null;
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** Null for every entry that is not about a call of a turn. */
export function callIn(entry: Entry): Call | null {
  const payload = object(entry.payload);
  const name = text(payload.name);
  if (entry.kind !== "event" || entry.turn === null || !names.includes(name)) return null;
  const data = object(payload.data);
  return {
    ended: name === "model_call_ended",
    model: text(data.model),
    status: text(data.status),
    tokens: tokensOf(object(data.usage)),
    price: text(data.price) || null,
    currency: text(data.currency) || null,
    seconds: number(data.seconds),
  };
}
