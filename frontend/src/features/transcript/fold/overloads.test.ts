import { describe, expect, it } from "vitest";
import type { Entry } from "@/api/types";
import { asked, tape } from "@/testing/tape";
import { fold } from "./fold";

const state = {
  closes: [2, 21],
  summed_up_by: "model",
  statements: [
    { kind: "said", text: "Refunds are tried three times. [e1]", seqs: [6, 7] },
    { kind: "read", text: "[e1] shop/payments/retry.py lines 3-14", seqs: [7] },
    { kind: "unheard of", text: "x", seqs: [1] },
    { kind: "asked", text: "", seqs: [3] },
  ],
};

function anchor(name: string, withheld = false): Partial<Entry> & Pick<Entry, "kind"> {
  return { kind: "anchor", payload: withheld ? null : { name, state }, withheld };
}

describe("a turn in which the model's memory was full", () => {
  it("tells what was closed and what was kept, without the ids that only the model needs", () => {
    const { turns } = fold(tape(asked("How?"), anchor("brain_overload")));
    expect(turns[0]?.overloads).toEqual([
      {
        tape: 1,
        topic: 7,
        seq: 2,
        first: 2,
        byModel: true,
        statements: [
          { kind: "said", text: "Refunds are tried three times.", seqs: [6, 7] },
          { kind: "read", text: "shop/payments/retry.py lines 3-14", seqs: [7] },
        ],
      },
    ]);
  });

  it("tells nothing of other anchors, and of one that is withheld", () => {
    const { turns } = fold(tape(asked("How?"), anchor("mark/x"), anchor("brain_overload", true)));
    expect(turns[0]?.overloads).toEqual([]);
  });
});
