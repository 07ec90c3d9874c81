/** Which repository a question landed in, how surely, and why. */
import { type Json, objects, text } from "@/lib/read";
import type { Routing } from "./shapes";

const certainties = ["high", "medium", "low"] as const;

function nameOf(value: unknown): string {
  if (typeof value === "string") return value;
  return text((value as Json | null)?.repository) || text((value as Json | null)?.name);
}

export function routingFrom(value: Json): Routing | null {
  const repository = text(value.repository);
  const certainty = certainties.find((level) => level === value.certainty);
  if (!repository || !certainty) return null;
  return {
    repository,
    certainty,
    reasons: objects(value.reason).map((reason) => ({
      kind: text(reason.kind),
      query: text(reason.query),
      code: text(reason.code),
    })),
    runnerUp: nameOf(value.runner_up) || null,
    tied: value.tied === true,
  };
}
