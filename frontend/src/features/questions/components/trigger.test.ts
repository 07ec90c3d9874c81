import { expect, test } from "vitest";
import { completed, triggerAt } from "./trigger";

test("a name is being written behind @ and behind topic:, up to the caret", () => {
  expect(triggerAt("what does @me", 13)).toEqual({ kind: "person", start: 10, words: "me" });
  expect(triggerAt("退款@周", 4)).toEqual({ kind: "person", start: 2, words: "周" });
  expect(triggerAt("看topic:ref", 10)).toEqual({ kind: "topic", start: 1, words: "ref" });
  expect(triggerAt("topic:12 and", 8)).toEqual({ kind: "topic", start: 0, words: "12" });
});

test("an address, a word that ends so and a range are none", () => {
  expect(triggerAt("mei@example", 11)).toBeNull();
  expect(triggerAt("subtopic:1", 10)).toBeNull();
  expect(triggerAt("topic:12#4-9", 12)).toBeNull();
  expect(triggerAt("@mei and", 8)).toBeNull();
});

test("the name takes the place of what was typed, and the caret stands behind it", () => {
  const trigger = triggerAt("ask @me about", 7);
  expect(trigger).not.toBeNull();
  if (trigger) {
    expect(completed("ask @me about", 7, trigger, "@Mei Lin")).toEqual({
      text: "ask @Mei Lin about",
      caret: 12,
    });
  }
});
