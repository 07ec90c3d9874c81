/** The worker in which code is coloured: compiling a grammar would hold up the page. */
import type { Wanted } from "./colouring";
import { highlight } from "./highlight";

self.addEventListener("message", async ({ data }: MessageEvent<Wanted>) => {
  const { id, code, language, path } = data;
  // Without colours code reads well enough; a grammar that fails to load is no news to the reader.
  const lines = await highlight(code, language, path).catch(() => null);
  self.postMessage({ id, lines });
});
