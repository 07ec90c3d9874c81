/** Asking the worker for the colours of a piece of code. */
import type { Token } from "./highlight";

export type Wanted = { id: number; code: string; language: string; path: string };

type Lines = Token[][] | null;
type Answer = { id: number; lines: Lines };

const waiting = new Map<number, (lines: Lines) => void>();
let worker: Worker | undefined;
let count = 0;

function start(): Worker {
  const started = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  return started;
}

/** The code's lines as tokens; null where no grammar knows it or no worker can be had. */
export function coloured(code: string, language: string, path: string): Promise<Lines> {
  if (typeof Worker === "undefined") return Promise.resolve(null);
  worker ??= start();
  count += 1;
  const wanted: Wanted = { id: count, code, language, path };
  worker.postMessage(wanted);
  return new Promise((resolve) => waiting.set(wanted.id, resolve));
}
