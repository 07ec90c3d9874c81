/** Where one is on the tape: the last anchor above the middle of the window. */
import { useEffect, useState } from "react";

function anchorAbove(): number | undefined {
  const limit = window.innerHeight * 0.5;
  const anchors = [...document.querySelectorAll<HTMLElement>("[data-anchor]")];
  const above = anchors.filter((each) => each.getBoundingClientRect().top < limit);
  const here = (above.at(-1) ?? anchors[0])?.dataset.anchor;
  return here ? Number(here) : undefined;
}

export function useAnchorInView(grown: unknown): number | undefined {
  const [here, setHere] = useState<number>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at anew whenever the page has grown.
  useEffect(() => {
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setHere(anchorAbove()));
    };
    look();
    const watched = new MutationObserver(look);
    watched.observe(document.body, { childList: true, subtree: true });
    window.addEventListener("scroll", look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      watched.disconnect();
      window.removeEventListener("scroll", look);
    };
  }, [grown]);
  return here;
}
