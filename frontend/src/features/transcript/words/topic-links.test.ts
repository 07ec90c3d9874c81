import { expect, test } from "vitest";
import { linkTopics } from "./topic-links";

test("a topic that is named leads there, in code and links it stays text", () => {
  expect(linkTopics("As in topic:12#4-9: thrice. [e1]")).toBe(
    "As in [topic:12#4-9](/topics/12): thrice. [e1]",
  );
  expect(linkTopics("`topic:12` and [topic:3](/topics/3)")).toBe(
    "`topic:12` and [topic:3](/topics/3)",
  );
});
