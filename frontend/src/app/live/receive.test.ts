import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import type { Turn } from "@/api/types";
import { topicQuery } from "@/features/topics/api/get-topic";
import { entriesQuery } from "@/features/transcript/api/get-entries";
import { writtenKey } from "@/features/transcript/api/written";
import { asked, tape } from "@/testing/tape";
import { receive } from "./receive";

function following() {
  const cache = new QueryClient();
  const positions = new Map([[1, 1]]);
  const leave = vi.fn();
  const take = receive(cache, positions, leave);
  const hear = (event: string, data: unknown) =>
    take({ event, data: JSON.stringify(data), id: undefined });
  return { cache, positions, leave, hear };
}

describe("an event of the stream", () => {
  it("adds its entry to the topic it belongs to, once, and moves the position", () => {
    const { cache, positions, hear } = following();
    const [first, second] = tape(asked("a"), asked("b"));
    cache.setQueryData(entriesQuery(7).queryKey, { entries: first ? [first] : [], head: 1 });
    hear("entry", second);
    hear("entry", second);
    expect(cache.getQueryData(entriesQuery(7).queryKey)).toEqual({
      entries: [first, second],
      head: 2,
    });
    expect(positions.get(1)).toBe(2);
  });

  it("leaves topics alone that no page has read", () => {
    const { cache, hear } = following();
    hear("entry", tape(asked("a"))[0]);
    expect(cache.getQueryData(entriesQuery(7).queryKey)).toBeUndefined();
  });

  it("asks for the topic anew when it is described or called for after its end, not within a turn", () => {
    const { cache, hear } = following();
    const key = topicQuery(7).queryKey;
    const isStale = () => cache.getQueryState(key)?.isInvalidated;
    for (const name of ["topic_described", "model_call_ended"]) {
      cache.setQueryData(key, { id: 7, turns: [] } as never);
      const event = { kind: "event", payload: { name } } as const;
      hear("entry", tape(event)[0]);
      expect(isStale()).toBe(false);
      hear("entry", tape({ ...event, turn: null })[0]);
      expect(isStale()).toBe(true);
    }
  });

  it("keeps text as it is written", () => {
    const { cache, hear } = following();
    hear("text", { turn: 3, step: 1, offset: 0, text: "Yes" });
    hear("text", { turn: 3, step: 1, offset: 3, text: ", three" });
    expect(cache.getQueryData(writtenKey(3))).toEqual({ step: 1, text: "Yes, three", length: 10 });
  });

  it("puts a turn into its topic, and sees whether the topic is still busy", () => {
    const { cache, hear } = following();
    const key = topicQuery(7).queryKey;
    cache.setQueryData(key, { id: 7, busy: true, turns: [{ id: 3, status: "running" }] } as never);
    hear("turn", { id: 3, topic: 7, status: "done" } satisfies Partial<Turn>);
    expect(cache.getQueryData(key)).toMatchObject({
      busy: false,
      turns: [{ id: 3, status: "done" }],
    });
  });

  it("ends the stream for good when signed out, and quietly when forbidden", () => {
    const { leave, hear } = following();
    hear("closed", { code: "slow_reader" });
    expect(leave).not.toHaveBeenCalled();
    hear("closed", { code: "signed_out" });
    hear("closed", { code: "forbidden" });
    expect(leave.mock.calls).toEqual([["signed_out"], ["online"]]);
  });
});
