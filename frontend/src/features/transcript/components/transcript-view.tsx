/** A topic's turns, from first to last. */
import type { Chapter } from "../fold/chapters";
import { TurnArticle } from "./turn-article";

export function TranscriptView({ chapters, mine }: { chapters: Chapter[]; mine: boolean }) {
  const firstOpen = chapters.findIndex((chapter) => chapter.phase !== "ended");
  return chapters.map((chapter, index) => (
    <TurnArticle
      key={chapter.story.turn}
      chapter={chapter}
      behind={index > firstOpen}
      mine={mine}
    />
  ));
}
