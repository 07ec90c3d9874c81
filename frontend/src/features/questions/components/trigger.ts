/** What of a question is being written as a name: behind `@` or `topic:`, up to the caret. */

export type Trigger = { kind: "person" | "topic"; start: number; words: string };

const person = /(?:^|[^A-Za-z0-9._%+-])@([^\s@]{0,40})$/;
const topic = /(?:^|[^A-Za-z0-9_/.-])topic[:：]([^\s#]{0,60})$/i;

export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret);
  for (const [kind, form, lead] of [
    ["person", person, 1],
    ["topic", topic, 6],
  ] as const) {
    const words = form.exec(before)?.[1];
    if (words !== undefined) return { kind, start: caret - words.length - lead, words };
  }
  return null;
}

/** The question with the name in its place, and where the caret stands then. */
export function completed(text: string, caret: number, trigger: Trigger, written: string) {
  const after = text.slice(caret);
  const gap = /^\s/.test(after) ? "" : " ";
  const head = `${text.slice(0, trigger.start)}${written}${gap}`;
  return { text: head + after, caret: head.length };
}
