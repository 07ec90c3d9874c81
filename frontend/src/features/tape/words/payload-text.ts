/** The whole of an entry as text: a message's words, calls and results as they were sent. */
import type { Entry } from "@/api/types";
import { object, objects, parsed, text } from "@/lib/read";
import { contentOf } from "./entry-words";

export type Passage = { name: string; text: string; code: boolean };

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function passagesIn(entry: Entry): Passage[] {
  const payload = object(entry.payload);
  if (entry.kind === "message" || entry.kind === "system") {
    return [{ name: "", text: contentOf(payload.content), code: false }];
  }
  if (entry.kind === "tool_call") {
    const calls = objects(payload.calls).map((call) => {
      const called = object(call.function);
      return { name: text(called.name), text: json(parsed(called.arguments)), code: true };
    });
    const said = text(payload.content);
    return said ? [{ name: "", text: said, code: false }, ...calls] : calls;
  }
  if (entry.kind === "tool_result") {
    return objects(payload.results).map((result) => ({
      name: text(result.name),
      text: text(result.content) || json(result),
      code: true,
    }));
  }
  return [{ name: "", text: json(payload), code: true }];
}

export function passagesOf(entry: Entry): Passage[] {
  return passagesIn(entry).filter((passage) => passage.text);
}
