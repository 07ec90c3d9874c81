/** The page follows what is being written only if it was at its end; else nothing moves. */
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";

/** How near to the end still counts as being there, in pixels. */
const near = 160;

function isAtEnd(): boolean {
  const page = document.documentElement;
  return window.innerHeight + window.scrollY >= page.scrollHeight - near;
}

function scrollToEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}

export function usePageFollowing(grown: string): () => void {
  const atEnd = useRef(false);
  const opened = useRef(false);

  useEffect(() => {
    const onScroll = () => {
      atEnd.current = isAtEnd();
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the page has grown.
  useLayoutEffect(() => {
    if (opened.current) {
      if (atEnd.current) scrollToEnd();
      return;
    }
    opened.current = true;
    const turns = document.querySelectorAll("[data-turn]");
    // The newest turn is what one comes back for.
    if (turns.length > 1) turns[turns.length - 1]?.scrollIntoView({ block: "start" });
    atEnd.current = isAtEnd();
  }, [grown]);

  return useCallback(() => {
    atEnd.current = true;
    scrollToEnd();
  }, []);
}
