/** Anchors in people's words: what each marks, from its name and its state. */
import type { TFunction } from "i18next";
import { type Json, object, objects, text } from "@/lib/read";

export const markPrefix = "mark/";

type Said = { name: string; state: Json };

const words: Record<string, (said: Said, t: TFunction) => string> = {
  "session/start": (_said, t) => t("tape.anchor.start"),
  topic_initial: ({ state }, t) => t("tape.anchor.topic", { title: text(state.title) || "…" }),
  topic_finalized: (_said, t) => t("tape.anchor.finished"),
  brain_overload: (_said, t) => t("tape.anchor.overload"),
  recall_anchor: ({ state }, t) =>
    t("tape.anchor.recalled", { count: Math.max(1, objects(state.topics).length) }),
};

function markWords({ name, state }: Said, t: TFunction): string {
  return t("tape.anchor.mark", { name: text(state.note) || name.slice(markPrefix.length) || "…" });
}

/** A short name for lists: "Start", "Topic: refund retries", "Mark: channel settings win". */
export function anchorWords(name: string, state: unknown, t: TFunction): string {
  const said = { name, state: object(state) };
  if (name.startsWith(markPrefix)) return markWords(said, t);
  return words[name]?.(said, t) ?? (name || t("tape.withheld"));
}

/** What stands beside an anchor's name on the tape. */
export function anchorSays(name: string, state: unknown, t: TFunction): string {
  const said = object(state);
  if (name === "session/start") return t("tape.anchor.began");
  if (name === "recall_anchor") return anchorWords(name, state, t);
  // Its text is written for the model.
  if (name === "brain_overload") {
    return t("tape.anchor.kept", { count: objects(said.statements).length });
  }
  const told = [said.note, said.title, said.summary, said.text].map(text);
  return told.find(Boolean) ?? "";
}
