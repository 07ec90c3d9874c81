import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { server } from "@/testing/setup";
import { follow, type StreamState } from "./stream";

const encoder = new TextEncoder();

function streamOf(parts: Uint8Array[]): Response {
  const body = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  return new HttpResponse(body, { headers: { "Content-Type": "text/event-stream" } });
}

function reading(stopAfter: number) {
  const stop = new AbortController();
  const events: string[] = [];
  const states: StreamState[] = [];
  const addresses: string[] = [];
  const refused: number[] = [];
  let position = 0;
  const reader = {
    address: () => {
      const address = `${window.location.origin}/api/stream?tapes=1:${position}`;
      addresses.push(address);
      return address;
    },
    onEvent: ({ data }: { data: string }) => {
      events.push(data);
      position += 1;
      if (events.length === stopAfter) stop.abort();
    },
    onState: (state: StreamState) => states.push(state),
    onRefused: (status: number) => refused.push(status),
  };
  return { reader, stop, events, states, addresses, refused };
}

describe("the stream", () => {
  it("R4 goes on from the position it has after the connection was cut", async () => {
    let visits = 0;
    server.use(
      http.get("*/api/stream", () => {
        visits += 1;
        return streamOf([encoder.encode(`event: entry\ndata: ${visits}\n\n`)]);
      }),
    );
    const { reader, stop, events, states, addresses } = reading(2);
    await follow(reader, stop.signal);
    expect(events).toEqual(["1", "2"]);
    expect(addresses.map((address) => address.split("=")[1])).toEqual(["1:0", "1:1"]);
    expect(states).toEqual(["open", "lost", "open"]);
  });

  it("joins characters that arrive in halves", async () => {
    const bytes = encoder.encode("data: 退款\n\n");
    server.use(http.get("*/api/stream", () => streamOf([bytes.slice(0, 7), bytes.slice(7)])));
    const { reader, stop, events } = reading(1);
    await follow(reader, stop.signal);
    expect(events).toEqual(["退款"]);
  });

  it("stops trying when the server refuses for good", async () => {
    server.use(http.get("*/api/stream", () => new HttpResponse(null, { status: 401 })));
    const { reader, stop, refused } = reading(1);
    await follow(reader, stop.signal);
    expect(refused).toEqual([401]);
  });
});
