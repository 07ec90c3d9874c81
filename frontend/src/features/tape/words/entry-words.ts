/** An entry in one line, in people's words; its whole text opens by a press. */
import type { TFunction } from "i18next";
import type { Entry } from "@/api/types";
import { type Json, number, object, objects, parsed, text } from "@/lib/read";
import { anchorSays } from "./anchor-words";
import { eventWords } from "./event-words";
import { actorWords, type Named } from "./people";

const longestLine = 240;

type Told = { entry: Entry; payload: Json; people: Named[]; t: TFunction };

function oneLine(words: string): string {
  const line = words
    .replace(/\[e\d+\]/g, "")
    .replace(/[*`#]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}

/** A message's text; parts that are no text are named by their type. */
export function contentOf(content: unknown): string {
  if (!Array.isArray(content)) return text(content);
  return content.map((part) => text(object(part).text) || text(object(part).type)).join("\n");
}

function messageWords({ entry, payload, people, t }: Told): string {
  const words = oneLine(contentOf(payload.content));
  if (payload.role === "assistant") return t("tape.line.answer", { words });
  return t("tape.line.says", { who: actorWords(entry.actor, people, t), words });
}

function callWords(call: Json, t: TFunction): string {
  const called = object(call.function);
  const args = parsed(called.arguments);
  const name = text(called.name);
  const queries = Array.isArray(args.queries) ? args.queries.map(text) : [text(args.query)];
  const query = queries.filter(Boolean).join(t("turn.listComma"));
  if (name === "search_code") return t("tape.line.searchCode", { query });
  if (name === "search_tape") return t("tape.line.searchTape", { query });
  const path = [text(args.repository), text(args.path)].filter(Boolean).join("/");
  const start = number(args.start_line);
  const lines = start === null ? "" : ` ${start}–${number(args.end_line) ?? start}`;
  if (name === "read_lines") return t("tape.line.read", { place: `${path}${lines}` });
  const plain = Object.values(args).filter((value) => typeof value !== "object");
  return `${name}(${plain.map((value) => JSON.stringify(value)).join(", ")})`;
}

function resultWords(result: Json, t: TFunction): string {
  const error = text(result.error);
  if (error) return t("step.failed", { code: error });
  const data = object(result.data);
  const hits = objects(data.hits);
  if (text(result.name) === "search_code") {
    const [first] = hits;
    const places = number(data.places) ?? hits.length;
    if (!first || places === 0) return t("tape.line.nothing");
    const path = [text(first.repository), text(first.path)].filter(Boolean).join("/");
    return t("tape.line.found", { places: t("step.places", { count: places }), path });
  }
  const start = number(data.start_line);
  if (text(result.name) === "read_lines" && start !== null) {
    const path = [text(data.repository), text(data.path)].filter(Boolean).join("/");
    return t("tape.line.lines", { count: (number(data.end_line) ?? start) - start + 1, path });
  }
  return oneLine(text(result.content)) || text(result.name);
}

const kinds: Record<Entry["kind"], (told: Told) => string> = {
  message: messageWords,
  system: ({ payload }) => oneLine(text(payload.content)),
  tool_call: ({ payload, t }) =>
    objects(payload.calls)
      .map((call) => callWords(call, t))
      .join(" · "),
  tool_result: ({ payload, t }) =>
    objects(payload.results)
      .map((result) => resultWords(result, t))
      .join(" · "),
  anchor: ({ payload, t }) => {
    const name = text(payload.name);
    return [name, oneLine(anchorSays(name, payload.state, t))].filter(Boolean).join(" · ");
  },
  event: ({ entry, people, t }) => eventWords(entry, actorWords(entry.actor, people, t), t),
  error: ({ payload }) => oneLine(text(payload.message) || text(payload.kind)),
};

export function isErased(entry: Entry): boolean {
  return "erased" in object(entry.payload);
}

export function entryWords(entry: Entry, people: Named[], t: TFunction): string {
  if (entry.withheld) return t("tape.withheld");
  if (isErased(entry)) return t("tape.erased");
  return kinds[entry.kind]({ entry, payload: object(entry.payload), people, t });
}
