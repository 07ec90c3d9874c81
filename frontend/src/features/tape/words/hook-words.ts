/** Runs of hooks in people's words; what a third party's hook says of itself is shown as it is. */
import type { TFunction } from "i18next";
import { type Json, text } from "@/lib/read";

const ours = {
  topic_finalize_prev: "finalizePrev",
  note_facts: "noteFacts",
  recall: "recall",
  from_own_words: "ownWords",
  from_model: "fromModel",
  remember: "remember",
  draw_facts: "drawFacts",
} as const;

const outcomes = ["done", "failed", "refused", "not heeded", "left out", "switched off"] as const;

/** What our own hooks tell of a run, with the number in it. */
const tellings = [
  [/^finalized topic (\d+)$/, "finalized"],
  [/^nothing recalled$/, "nothingRecalled"],
  [/^(\d+) topics? recalled$/, "recalled"],
  [/^(\d+) facts$/, "facts"],
  [/^(\d+) conclusions$/, "conclusions"],
  [/^described$/, "described"],
] as const;

function nameOf(hook: string, t: TFunction): string {
  const path = hook.split(".");
  const name = path.at(-1) ?? "";
  const own = path[0] === "topics" || path[0] === "kb_agent";
  const known = own && name in ours ? ours[name as keyof typeof ours] : undefined;
  return known ? t(`tape.hook.${known}`) : name;
}

function told(words: string, t: TFunction): string {
  for (const [pattern, key] of tellings) {
    const match = pattern.exec(words);
    if (match) return t(`tape.hook.told.${key}`, { count: Number(match[1] ?? 0), id: match[1] });
  }
  return words;
}

export function hookWords(data: Json, t: TFunction): string {
  const said = text(data.outcome);
  const outcome = outcomes.find((each) => said === each || said.startsWith(`${each}: `));
  const parts = outcome
    ? [t(`tape.hook.outcome.${outcome}`), told(said.slice(outcome.length + 2), t)]
    : [told(said, t)];
  return [nameOf(text(data.hook), t), ...parts].filter(Boolean).join(" · ");
}
