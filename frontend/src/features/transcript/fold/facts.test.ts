import { describe, expect, it } from "vitest";
import { asked, returned, tape } from "@/testing/tape";
import { factsByTurn } from "./facts";

const said = {
  fact: 12,
  text: "Three times.",
  contributor: 1,
  contributor_name: "Mei",
  accepted_by: "Li",
  accepted_at: "2026-11-29T11:00:00Z",
};

describe("the facts a turn was told of", () => {
  it("are those it looked up, each once, with whose word they are", () => {
    const found = returned("a", "look_up_facts", { facts: [said, said] });
    const turns = factsByTurn(tape(asked("How often?"), found));
    expect([...turns.values()]).toEqual([
      [
        {
          fact: 12,
          text: "Three times.",
          contributor: { id: 1, name: "Mei" },
          acceptedBy: "Li",
          acceptedAt: "2026-11-29T11:00:00Z",
        },
      ],
    ]);
  });

  it("are none where nothing was looked up", () => {
    expect(factsByTurn(tape(asked("How often?"))).size).toBe(0);
  });
});
