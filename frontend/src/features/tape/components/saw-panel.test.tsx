import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import type { SeenCall } from "@/api/types";
import { show } from "@/testing/page";
import { server } from "@/testing/setup";
import { SawPanel } from "./saw-panel";

const call: SeenCall = {
  seq: 105,
  step: 1,
  model: "qwen",
  endpoint: "main",
  purpose: "turn",
  status: "ok",
  renderer: 2,
  proven: true,
  problem: "",
  tools: [],
  messages: [
    {
      role: "system",
      content: "Cite only ids that tools gave you.",
      calls: [],
      seq: null,
      tokens: 2140,
      capped: null,
      withheld: false,
    },
    {
      role: "tool",
      content: "23 places, surest first",
      calls: [],
      seq: 99,
      tokens: 9800,
      capped: { id: "ab", chars: 31_420, pages: 4, shown: 6_000 },
      withheld: false,
    },
  ],
  tokens: 12_310,
  hidden: { withheld: [], before: { first: 1, last: 96 }, forks: [] },
  usage: null,
  cost: null,
  seconds: 6.2,
};

function open(calls: SeenCall[], seq = 106) {
  server.use(http.get("*/api/turns/3/saw", () => HttpResponse.json({ calls })));
  const on = { onCall: vi.fn(), onGo: vi.fn(), onClose: vi.fn() };
  show(<SawPanel turn={3} call={seq} {...on} />);
  return on;
}

describe("what the model saw", () => {
  it("shows the messages with their tokens, entries and what was cut, proven by hash", async () => {
    const { onGo } = open([call]);
    await screen.findByText("Rebuilt from the tape; the hash of what was sent agrees");
    expect(screen.getByText("stored once")).toBeTruthy();
    expect(screen.getByText("first 6,000 of 31,420 characters")).toBeTruthy();
    expect(screen.getByText(/Not shown to it: entries 1–96, before the window/)).toBeTruthy();
    screen.getByRole("button", { name: "entry 99" }).click();
    expect(onGo).toHaveBeenCalledWith(99);
  });

  it("says when the hash does not agree, and what is withheld", async () => {
    const [message] = call.messages;
    const withheld = { ...message, content: null, withheld: true } as SeenCall["messages"][number];
    open([{ ...call, proven: false, messages: [withheld] }]);
    await screen.findByText(/does not agree/);
    expect(screen.getByText(/come from code you may not read/)).toBeTruthy();
  });

  it("goes from call to call", async () => {
    const { onCall } = open([call, { ...call, seq: 120 }]);
    await screen.findByText(/hash of what was sent agrees/);
    screen.getByRole("button", { name: "Next call" }).click();
    expect(onCall).toHaveBeenCalledWith(3, 120);
  });
});
