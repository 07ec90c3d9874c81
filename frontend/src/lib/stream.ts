/**
 * A server-sent event stream over fetch, with its own reconnecting.
 *
 * EventSource cannot change its address on reconnecting, and the address carries the position
 * vector; so the stream is read by hand.
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";

export type StreamState = "connecting" | "open" | "lost";

export type StreamReader = {
  /** Asked anew at every attempt, since positions move on. */
  address: () => string;
  onEvent: (event: EventSourceMessage) => void;
  onState: (state: StreamState) => void;
  /** The server said that trying again is useless. */
  onRefused: (status: number) => void;
};

/** The server sends a comment every 15 s; silence for longer means the connection is dead. */
const silenceLimit = 40_000;
const firstPause = 500;
const longestPause = 10_000;

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}

async function readOnce(reader: StreamReader, signal: AbortSignal): Promise<number> {
  const attempt = new AbortController();
  const abort = () => attempt.abort();
  signal.addEventListener("abort", abort);
  window.addEventListener("offline", abort);
  let silence = setTimeout(abort, silenceLimit);
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(abort, silenceLimit);
  };
  try {
    const response = await fetch(reader.address(), {
      headers: { Accept: "text/event-stream" },
      signal: attempt.signal,
    });
    if (!response.ok || !response.body) return response.status;
    reader.onState("open");
    const parser = createParser({ onEvent: reader.onEvent });
    const decoded = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await decoded.read(); !part.done; part = await decoded.read()) {
      heard();
      parser.feed(part.value);
    }
    return response.status;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", abort);
    window.removeEventListener("offline", abort);
  }
}

function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Reads until the signal aborts or the server refuses for good. */
export async function follow(reader: StreamReader, signal: AbortSignal): Promise<void> {
  let wait = firstPause;
  while (!signal.aborted) {
    const started = Date.now();
    const status = await readOnce(reader, signal).catch(() => 0);
    if (signal.aborted) return;
    if (isFinal(status)) {
      reader.onRefused(status);
      return;
    }
    reader.onState("lost");
    // A connection that held for a while starts again from the shortest pause.
    wait = Date.now() - started > longestPause ? firstPause : Math.min(wait * 2, longestPause);
    await pause(wait * (0.75 + Math.random() / 2), signal);
  }
}
