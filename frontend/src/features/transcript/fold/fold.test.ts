import { describe, expect, it } from "vitest";
import { answered, asked, called, cited, event, returned, tape } from "@/testing/tape";
import { citationsOf } from "./citations";
import { fold } from "./fold";

const routing = {
  repository: "billing",
  repository_id: 1,
  certainty: "high",
  reason: [{ kind: "vocabulary", query: "退款", code: "refund" }],
  runner_up: { repository: "orders" },
};

const search = { query: "refund", places: 23, repositories: 14, routing, hits: [] };

describe("an output that was too long for its entry", () => {
  it("is told with its step, so that its pages can be read", () => {
    const result = returned("a", "read_lines", { path: "x.py" });
    const [first] = (result.payload as { results: Record<string, unknown>[] }).results;
    Object.assign(first ?? {}, { spill: { id: "d", pages: 14, chars: 301_234 } });
    const { turns } = fold(tape(asked("How?"), called("a", "read_lines", {}), result));
    expect(turns[0]?.steps[0]?.output).toMatchObject({ call: "a", pages: 14, chars: 301_234 });
  });

  it("is not told where there is one page", () => {
    const { turns } = fold(tape(asked("How?"), called("a", "x", {}), returned("a", "x", {})));
    expect(turns[0]?.steps[0]?.output).toBeNull();
  });
});

describe("a turn, folded from its entries", () => {
  it("tells the question, the steps in their order, and the answer", () => {
    const { turns } = fold(
      tape(
        asked("Is a failed refund retried?"),
        event("turn_started", { attempt: 1 }),
        called("a", "search_code", { query: "refund" }),
        returned("a", "search_code", search),
        answered("**Yes.** [e1]", [cited("e1", 11)]),
        event("turn_ended", { status: "done", reason: "" }),
      ),
    );
    expect(turns).toHaveLength(1);
    expect(turns[0]?.question?.text).toBe("Is a failed refund retried?");
    expect(turns[0]?.steps.map((step) => [step.tool, step.state])).toEqual([
      ["search_code", "done"],
    ]);
    expect(turns[0]?.answer?.text).toBe("**Yes.** [e1]");
    expect(turns[0]?.ended).toMatchObject({ status: "done" });
  });

  it("takes the routing from the first search until the answer states its own", () => {
    const { turns } = fold(
      tape(asked("?"), called("a", "search_code", {}), returned("a", "search_code", search)),
    );
    expect(turns[0]?.routing).toEqual({
      repository: "billing",
      certainty: "high",
      reasons: [{ kind: "vocabulary", query: "退款", code: "refund" }],
      runnerUp: "orders",
      tied: false,
    });
  });

  it("shows a call without a result as running, and as interrupted once the turn has ended", () => {
    const lines = [asked("?"), called("a", "read_lines", { path: "a.py" })];
    expect(fold(tape(...lines)).turns[0]?.steps[0]?.state).toBe("running");
    const ended = [...lines, event("turn_ended", { status: "stopped", reason: "person" })];
    expect(fold(tape(...ended)).turns[0]?.steps[0]?.state).toBe("interrupted");
  });

  it("shows what an earlier attempt left open as interrupted when the next attempt starts", () => {
    const { turns } = fold(
      tape(
        asked("?"),
        event("turn_started", { attempt: 1 }),
        called("a", "read_lines", {}),
        event("turn_started", { attempt: 2 }),
        called("b", "read_lines", {}, 2),
      ),
    );
    expect(turns[0]?.steps.map((step) => step.state)).toEqual(["interrupted", "running"]);
  });

  it("matches results to calls by id, whatever their order", () => {
    const { turns } = fold(
      tape(
        asked("?"),
        called("a", "read_lines", { path: "a.py" }),
        called("b", "read_lines", { path: "b.py" }),
        returned("b", "read_lines", { path: "b.py" }),
      ),
    );
    expect(turns[0]?.steps.map((step) => step.state)).toEqual(["running", "done"]);
  });

  it("keeps the error a tool returned", () => {
    const { turns } = fold(
      tape(
        asked("?"),
        called("a", "read_lines", {}),
        returned("a", "read_lines", {}, 1, "no_such_file"),
      ),
    );
    expect(turns[0]?.steps[0]).toMatchObject({ state: "failed", error: "no_such_file" });
  });

  it("puts a message that was taken up into the turn that took it", () => {
    const { turns } = fold(
      tape(
        asked("first", 3),
        asked("and for Alipay?", 4),
        event("message_taken_up", { seq: 2, turn: 4 }, 3),
      ),
    );
    expect(turns[0]?.added.map((message) => message.text)).toEqual(["and for Alipay?"]);
    expect(turns[1]?.takenUpBy).toBe(3);
  });

  it("keeps the place of what is withheld", () => {
    const { turns } = fold(
      tape(
        { ...asked("?"), payload: null, withheld: true },
        { ...called("a", "search_code", {}), payload: null, withheld: true },
        { ...answered("", []), payload: null, meta: {}, withheld: true },
      ),
    );
    expect(turns[0]?.question?.withheld).toBe(true);
    expect(turns[0]?.steps[0]?.state).toBe("withheld");
    expect(turns[0]?.answer?.withheld).toBe(true);
  });

  it("shows a correction beside what it corrects, also when it came long after the turn", () => {
    const { turns } = fold(
      tape(asked("?"), answered("Three times. [e1]", [cited("e1", 11)]), {
        ...event("correction", { corrects: 2, text: "Five, for Alipay." }, null),
        actor: "person:5",
      }),
    );
    expect(turns[0]?.corrections).toMatchObject([{ text: "Five, for Alipay.", actor: "person:5" }]);
  });

  it("A1 keeps a partial answer without the note that closes it on the tape", () => {
    const partial = (content: string) => {
      const line = { ...answered(content, []), meta: { partial: true, ended: "stopped" } };
      return fold(tape(asked("?"), line)).turns[0]?.answer;
    };
    const note = "(Stopped as asked; the answer is not complete.)";
    expect(partial(`Yes, up to\n\n${note}`)).toMatchObject({ text: "Yes, up to", partial: true });
    expect(partial(note)).toBeNull();
    expect(partial("（按要求停止，答案没有写完。）")).toBeNull();
  });

  it("is left as it was by entries it does not know", () => {
    const known = tape(asked("?"));
    const more = tape(asked("?"), event("something_new"), {
      kind: "system",
      payload: { content: "x" },
    });
    expect(fold(more).turns).toEqual(fold(known).turns);
  });

  it("survives torn arguments and payloads of another shape", () => {
    const { turns } = fold(
      tape(
        asked("?"),
        {
          kind: "tool_call",
          payload: { calls: [{ id: "a", function: { name: "read_lines", arguments: '{"pa' } }] },
        },
        { kind: "tool_result", payload: { results: "nothing" } },
      ),
    );
    expect(turns[0]?.steps[0]).toMatchObject({ tool: "read_lines", args: {}, state: "running" });
  });

  it("is pure: folding twice gives the same story and leaves the entries alone", () => {
    const entries = tape(
      asked("?"),
      called("a", "search_code", {}),
      returned("a", "search_code", search),
    );
    const before = structuredClone(entries);
    expect(fold(entries)).toEqual(fold(entries));
    expect(entries).toEqual(before);
  });
});

describe("citations", () => {
  it("are numbered over the topic in the order in which answers use them", () => {
    const story = fold(
      tape(
        asked("one", 3),
        answered("A [e7] and B [e2], again [e7].", [cited("e2", 22), cited("e7", 77)], 3),
        asked("two", 4),
        answered("C [e9], and B [e2].", [cited("e9", 99), cited("e2", 22)], 4),
      ),
    );
    expect(citationsOf(story).map(({ marker, number }) => [marker, number])).toEqual([
      ["e7", 1],
      ["e2", 2],
      ["e9", 3],
    ]);
  });

  it("leave out markers that no tool minted", () => {
    const story = fold(tape(asked("?"), answered("A [e1] B [e666].", [cited("e1", 11)])));
    expect(citationsOf(story).map((citation) => citation.marker)).toEqual(["e1"]);
  });

  it("open while the answer is still being written, from what the tools found", () => {
    const found = { hits: [{ ...cited("e1", 11), evidence: "e1" }], places: 1 };
    const story = fold(
      tape(asked("?"), called("a", "search_code", {}), returned("a", "search_code", found)),
    );
    expect(citationsOf(story, { 3: "Yes [e1]" })).toMatchObject([{ evidence: 11, number: 1 }]);
  });

  it("say when a place no longer matches", () => {
    const place = { ...cited("e1", 11), valid: false };
    const story = fold(tape(asked("?"), answered("A [e1].", [place])));
    expect(citationsOf(story)[0]?.valid).toBe(false);
  });
});
