import { describe, expect, it } from "vitest";
import type { Fork } from "@/api/types";
import { aTape, aTopic } from "@/testing/shown-tape";
import { event, tape } from "@/testing/tape";
import { linesOf } from "./lines";
import { earlier, later, type Stretch, startOf } from "./pieces";
import { laidOut } from "./stretches";

const stretch: Stretch = {
  tape: 1,
  head: 1_000,
  first: 1,
  last: null,
  kinds: [],
  forks: false,
  around: null,
};

describe("a tape as it is laid out", () => {
  it("folds finished topics and leaves the newest open", () => {
    const old = aTopic({ id: 1, initial_seq: 2, finalized_seq: 58 });
    const open = aTopic({ id: 2, initial_seq: 59, finalized_seq: null, status: "open" });
    const sections = laidOut(aTape({ topics: [open, old] }));
    expect(sections.map(({ first, last, folded }) => [first, last, folded])).toEqual([
      [1, 1, false],
      [2, 58, true],
      [59, null, false],
    ]);
  });

  it("goes on after the last topic, so that marks set later show", () => {
    const sections = laidOut(aTape({ topics: [aTopic({ initial_seq: 2, finalized_seq: 58 })] }));
    expect(sections.at(-1)).toMatchObject({ first: 59, last: null, folded: false });
  });

  it("shows the overload anchor between the segments it made", () => {
    const segments = [
      { first: 2, last: 91 },
      { first: 92, last: 96 },
    ];
    const split = aTopic({ initial_seq: 2, finalized_seq: 96, segments });
    const open = aTopic({ id: 8, initial_seq: 97, finalized_seq: null, status: "open" });
    const sections = laidOut(aTape({ topics: [split, open] }));
    expect(sections.map(({ first, last, segment }) => [first, last, segment])).toEqual([
      [1, 1, null],
      [2, 91, 1],
      [92, 92, null],
      [93, 96, 2],
      [97, null, null],
    ]);
  });

  it("sets entries of forks that are not merged apart", () => {
    const fork = { id: 9, state: "discarded" } as Fork;
    const entries = tape(event("a"), event("b"), event("c")).map((entry) => ({
      ...entry,
      fork: entry.seq === 2 ? 9 : 4,
    }));
    const lines = linesOf(entries, [fork]);
    expect(lines.map((line) => ("fork" in line ? "apart" : line.entry.seq))).toEqual([
      1,
      "apart",
      3,
    ]);
  });
});

describe("a long stretch", () => {
  it("is read from its end, a piece at a time", () => {
    const last = startOf(stretch);
    expect(last).toEqual({ from: 801 });
    expect(earlier(stretch, last)).toEqual({ from: 601, to: 800 });
    expect(earlier(stretch, { from: 1, to: 200 })).toBeUndefined();
    expect(later(stretch, last, null)).toBeUndefined();
    expect(later(stretch, last, "1800")).toEqual({ from: 1801 });
  });

  it("is read from around the entry one goes to, and on to either side", () => {
    const looking = { ...stretch, around: 400 };
    const piece = startOf(looking);
    expect(piece).toEqual({ from: 340, to: 539 });
    expect(later(looking, piece, null)).toEqual({ from: 540, to: 739 });
  });
});
