import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** A name to put into a question, and what to tell it by. */
export type Completion = { key: string; name: string; detail: string; written: string };

async function people(q: string, signal: AbortSignal): Promise<Completion[]> {
  const found = await body(api.GET("/api/people", { params: { query: { q } }, signal }));
  return found.results.map((one) => ({
    key: `@${one.id}`,
    name: one.display_name,
    detail: one.mention === one.display_name ? "" : one.mention,
    written: `@${one.mention}`,
  }));
}

async function topics(q: string, signal: AbortSignal): Promise<Completion[]> {
  const found = await body(api.GET("/api/references", { params: { query: { q } }, signal }));
  return found.results.map((one) => ({
    key: `topic:${one.topic}`,
    name: one.title,
    detail: one.mine ? `topic:${one.topic}` : `topic:${one.topic} · ${one.owner.display_name}`,
    written: `topic:${one.topic}`,
  }));
}

/** What can stand behind `@` or `topic:` and goes on as typed. */
export function completionsQuery(kind: "person" | "topic", q: string) {
  return queryOptions({
    queryKey: ["completions", kind, q],
    queryFn: ({ signal }) => (kind === "person" ? people(q, signal) : topics(q, signal)),
    placeholderData: keepPreviousData,
  });
}
