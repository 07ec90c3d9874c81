import i18next from "i18next";
import { describe, expect, it } from "vitest";
import type { Entry } from "@/api/types";
import { answered, asked, called, event, returned, tape } from "@/testing/tape";
import { callIn } from "../fold/call";
import { entryWords } from "./entry-words";
import { callFigures } from "./event-words";

const people = [{ id: 2, display_name: "林悦" }];

type Line = Parameters<typeof tape>[number];

function words(line: Line): string {
  const [entry] = tape(line);
  return entryWords(entry as Entry, people, i18next.t);
}

describe("an entry in one line", () => {
  it("says who asked and what was answered, without markers", () => {
    expect(words(asked("Is it retried?"))).toBe("林悦: Is it retried?");
    expect(words(answered("**Yes**, 3 times. [e3]", []))).toBe("Answer: Yes, 3 times.");
  });

  it("says calls and results of tools in words", () => {
    expect(words(called("c1", "search_code", { queries: ["refund", "退款"] }))).toBe(
      "search code “refund, 退款”",
    );
    const hits = [{ repository: "billing", path: "refunds/retry.py" }];
    expect(words(returned("c1", "search_code", { places: 23, hits }))).toBe(
      "23 places, first billing/refunds/retry.py",
    );
    expect(words(called("c2", "vote", { on: "it" }))).toBe('vote("it")');
  });

  it("names anchors as the tape does, and what a mark notes", () => {
    const payload = { name: "mark/lesson", state: { note: "Channel settings win", seqs: [4] } };
    expect(words({ kind: "anchor", payload })).toBe("mark/lesson · Channel settings win");
  });

  it("says events in words, and an unknown one by its name", () => {
    expect(words(event("fork_discarded", { fork: 12 }))).toBe("fork 12 discarded");
    expect(words(event("correction", { corrects: 109, text: "It is 5" }))).toBe(
      "correction of 109 · the agent: It is 5",
    );
    expect(words(event("moon_rose"))).toBe("moon_rose");
  });

  it("says what our own hooks did in the reader's language, and repeats a third party's words", async () => {
    const ran = (hook: string, outcome: string) => words(event("hook", { hook, outcome }));
    const recall = "kb_agent.topic_hooks.recall.recall";
    expect(ran(recall, "done: 2 topics recalled")).toBe("recall · done · 2 topics recalled");
    expect(ran("acme.tickets.recall", "done: ticket 12")).toBe("recall · done · ticket 12");
    await i18next.changeLanguage("zh");
    const previous = "topics.finalize_prev.topic_finalize_prev";
    expect(ran(previous, "done: finalized topic 3")).toBe("先结束上一个主题 · 完成 · 结束了主题 3");
    expect(ran(recall, "done: 2 topics recalled")).toBe("召回 · 完成 · 召回 2 个主题");
    expect(ran("kb_agent.topic_hooks.facts.draw_facts", "done")).toBe("得出事实 · 完成");
    await i18next.changeLanguage("en");
  });

  it("names what is withheld and what was erased as such", () => {
    expect(words({ kind: "message", payload: null, withheld: true })).toMatch(/^Withheld/);
    const payload = { role: "user", content: "[erased]", erased: "ab" };
    expect(words({ kind: "message", payload })).toBe("Erased");
  });

  it("says in the reader's language that a call failed", async () => {
    const [ended] = tape(event("model_call_ended", { status: "failed", seconds: 0.7 }));
    const call = callIn(ended as Entry);
    await i18next.changeLanguage("zh");
    expect(call && callFigures(call, i18next.t, "zh")).toEqual(["失败", "0.7 秒"]);
    await i18next.changeLanguage("en");
  });

  it("gives a call's tokens, price and seconds; an unknown price is not zero", () => {
    const usage = { input: 12_000, cached: 0, output: 310, reasoning: 0 };
    const data = { status: "ok", usage, price: null, currency: null, seconds: 6.2 };
    const [ended] = tape(event("model_call_ended", data));
    const call = callIn(ended as Entry);
    expect(call && callFigures(call, i18next.t, "en")).toEqual([
      "12,310 tokens",
      "Price unknown",
      "6.2 s",
    ]);
  });
});
