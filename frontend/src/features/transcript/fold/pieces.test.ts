import { describe, expect, it } from "vitest";
import type { Turn } from "@/api/types";
import { asked, event, tape } from "@/testing/tape";
import { chaptersOf } from "./chapters";
import { tidied } from "./citations";
import { fold } from "./fold";
import { write } from "./live-text";
import { merge } from "./merge";

function row(id: number, status: Turn["status"], more: Partial<Turn> = {}): Turn {
  return {
    id,
    topic: 7,
    tape: 1,
    question_seq: id,
    status,
    reason: "",
    place: null,
    joins: null,
    taken_by: null,
    asker: { id: 2, display_name: "Lin Yue" },
    created_at: "2026-11-28T14:02:00Z",
    started_at: null,
    ended_at: null,
    answer_seq: null,
    usage: null,
    cost: null,
    attempts: 1,
    experiment: false,
    ...more,
  };
}

describe("entries from page and stream", () => {
  const entries = tape(asked("a"), asked("b"), asked("c"));

  it("stand once each, in order, however they arrive", () => {
    const [first, second, third] = entries;
    if (!first || !second || !third) throw new Error("three entries were written");
    expect(merge([first, second], [third])).toEqual(entries);
    expect(merge([first, third], [second, third])).toEqual(entries);
    expect(merge(entries, entries)).toEqual(entries);
    expect(merge([], [second, first])).toEqual([first, second]);
  });
});

describe("text as it is written", () => {
  const piece = (offset: number, text: string, step = 1) => ({ turn: 3, step, offset, text });

  it("grows by pieces whose offsets count code points", () => {
    const start = write(undefined, piece(0, "退款🙂"));
    expect(write(start, piece(3, "重试"))?.text).toBe("退款🙂重试");
  });

  it("is not doubled by a piece that comes twice", () => {
    const start = write(write(undefined, piece(0, "ab")), piece(2, "cd"));
    expect(write(start, piece(2, "cd"))?.text).toBe("abcd");
  });

  it("waits for a fresh start after a gap, and starts over at offset 0", () => {
    const start = write(undefined, piece(0, "ab"));
    expect(write(start, piece(9, "zz"))?.text).toBe("ab");
    expect(write(start, piece(0, "new", 2))).toEqual({ step: 2, text: "new", length: 3 });
    expect(write(undefined, piece(5, "late"))).toBeUndefined();
  });

  it("does not show half a marker", () => {
    expect(tidied("Yes. [e1")).toBe("Yes.");
    expect(tidied("Yes. [")).toBe("Yes.");
    expect(tidied("Yes. [e1, e")).toBe("Yes.");
    expect(tidied("Yes. [e1]")).toBe("Yes. [e1]");
  });

  it("reads markers in the ways models write them", () => {
    expect(tidied("会。【e1】 Yes [E2, e3].")).toBe("会。[e1] Yes [e2][e3].");
  });
});

describe("turns as they are shown", () => {
  it("wait, run and end by their rows", () => {
    const story = fold(tape(asked("a", 1), asked("b", 2), asked("c", 3)));
    const rows = [row(1, "done"), row(2, "running"), row(3, "waiting", { place: 1 })];
    expect(chaptersOf(story, rows).map((chapter) => chapter.phase)).toEqual([
      "ended",
      "running",
      "waiting",
    ]);
  });

  it("have ended as soon as the tape says so, even before the row does", () => {
    const story = fold(tape(asked("a", 1), event("turn_ended", { status: "done" }, 1)));
    expect(chaptersOf(story, [row(1, "running")])[0]?.phase).toBe("ended");
  });

  it("carry a message that is on its way to them", () => {
    const story = fold(tape(asked("a", 1), asked("also", 2)));
    const chapters = chaptersOf(story, [row(1, "running"), row(2, "waiting", { joins: 1 })]);
    expect(chapters).toHaveLength(1);
    expect(chapters[0]?.joining.map((message) => message.text)).toEqual(["also"]);
  });

  it("leave a message that came too late as a turn of its own", () => {
    const story = fold(tape(asked("a", 1), asked("also", 2)));
    const chapters = chaptersOf(story, [row(1, "done"), row(2, "waiting", { joins: 1 })]);
    expect(chapters.map((chapter) => chapter.story.turn)).toEqual([1, 2]);
  });
});
