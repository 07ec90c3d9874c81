/** The coloured lines of a piece of code, once they have come. */
import { useEffect, useState } from "react";
import { coloured } from "./colouring";
import type { Token } from "./highlight";

export function useHighlighted(code: string, language: string, path = ""): Token[][] | null {
  const [done, setDone] = useState<{ code: string; lines: Token[][] | null } | null>(null);
  useEffect(() => {
    let wanted = true;
    void coloured(code, language, path).then((lines) => wanted && setDone({ code, lines }));
    return () => {
      wanted = false;
    };
  }, [code, language, path]);
  return done?.code === code ? done.lines : null;
}
