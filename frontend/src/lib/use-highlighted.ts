/** The coloured lines of a piece of code, once its grammar has come. */
import { useEffect, useState } from "react";
import { highlight, type Token } from "./highlight";

export function useHighlighted(code: string, language: string, path = ""): Token[][] | null {
  const [done, setDone] = useState<{ code: string; lines: Token[][] | null } | null>(null);
  useEffect(() => {
    let wanted = true;
    highlight(code, language, path)
      .then((lines) => wanted && setDone({ code, lines }))
      // Without colours code reads well enough; a grammar that fails to load is no news to the reader.
      .catch(() => wanted && setDone({ code, lines: null }));
    return () => {
      wanted = false;
    };
  }, [code, language, path]);
  return done?.code === code ? done.lines : null;
}
