/**
 * The page follows what is being written only if it was at its end; else nothing moves.
 * It never follows past the newest question, so that the first sentence of the answer stays in
 * sight; who has scrolled on by themselves is kept at the end.
 */
import { useCallback, useEffect, useLayoutEffect, useRef } from "react";

/** How near to the end still counts as being there, in pixels. */
const near = 160;

function isAtEnd(): boolean {
  const page = document.documentElement;
  return window.innerHeight + window.scrollY >= page.scrollHeight - near;
}

function newestTurn(): Element | undefined {
  return [...document.querySelectorAll("[data-turn]")].at(-1);
}

function follow(): void {
  const page = document.documentElement;
  const end = page.scrollHeight - window.innerHeight;
  const padding = Number.parseFloat(getComputedStyle(page).scrollPaddingTop) || 0;
  const turn = newestTurn()?.getBoundingClientRect().top;
  const heading = turn === undefined ? end : Math.max(0, turn + window.scrollY - padding);
  // A pixel of tolerance: positions are fractions on some screens.
  const scrolledOn = window.scrollY > heading + 1;
  window.scrollTo({ top: scrolledOn ? end : Math.min(end, heading) });
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
      if (atEnd.current) follow();
      return;
    }
    opened.current = true;
    // The newest turn is what one comes back for.
    newestTurn()?.scrollIntoView({ block: "start" });
    atEnd.current = isAtEnd();
  }, [grown]);

  return useCallback(() => {
    atEnd.current = true;
    follow();
  }, []);
}
