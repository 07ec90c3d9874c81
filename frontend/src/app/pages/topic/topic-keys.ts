/** Keys of the topic page: 1–9 citations, [ ] neighbours, Esc closes, Esc Esc stops. */
import { useRef } from "react";
import { useStop } from "@/features/transcript/components/stop-button";
import type { Chapter } from "@/features/transcript/fold/chapters";
import { citationsIn } from "@/features/transcript/fold/citations";
import type { Citation } from "@/features/transcript/fold/shapes";
import { type Shortcuts, useShortcuts } from "@/lib/keys";
import type { OpenEvidence } from "./open-evidence";

type Props = {
  chapters: Chapter[];
  citations: Citation[];
  order: number[];
  evidence: OpenEvidence;
  running: Chapter | undefined;
};

/** Two presses of Esc within this time mean Stop. */
const doublePress = 700;

function turnInView(): number {
  const middle = window.innerHeight * 0.6;
  const above = [...document.querySelectorAll<HTMLElement>("[data-turn]")].filter(
    (article) => article.getBoundingClientRect().top < middle,
  );
  return Number(above.at(-1)?.dataset.turn ?? 0);
}

function citationFor(digit: number, { chapters, citations }: Props): Citation | undefined {
  const chapter = chapters.find((each) => each.story.turn === turnInView());
  const inTurn = citationsIn(chapter?.story.answer?.text ?? "", citations);
  return inTurn.find((citation) => citation.number === digit) ?? inTurn[digit - 1];
}

export function useTopicKeys(props: Props): void {
  const { order, evidence, running } = props;
  const stop = useStop(running?.story.turn ?? 0);
  const lastEscape = useRef(0);

  const step = (by: 1 | -1) => {
    if (evidence.open === null) return;
    const next = order[order.indexOf(evidence.open) + by];
    if (next !== undefined) evidence.show(next);
  };
  const onEscape = () => {
    const now = Date.now();
    if (running && now - lastEscape.current < doublePress) stop.mutate();
    lastEscape.current = now;
    if (evidence.open !== null) evidence.close();
  };
  const digits: Shortcuts = Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => [
      String(digit),
      () => {
        const citation = citationFor(digit, props);
        if (citation) evidence.show(citation.evidence);
      },
    ]),
  );
  useShortcuts({ ...digits, "[": () => step(-1), "]": () => step(1), Escape: onEscape });
}
