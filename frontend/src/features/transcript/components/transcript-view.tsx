/** A topic's turns, from first to last. */
import type { Chapter } from "../fold/chapters";
import { TurnArticle } from "./turn-article";

export function TranscriptView({ chapters, mine }: { chapters: Chapter[]; mine: boolean }) {
  return chapters.map((chapter) => (
    <TurnArticle key={chapter.story.turn} chapter={chapter} mine={mine} />
  ));
}
