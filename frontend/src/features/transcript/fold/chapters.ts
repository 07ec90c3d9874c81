/** A topic's turns as they are shown: stories joined with their rows, added messages in their place. */
import type { Turn } from "@/api/types";
import type { Question, Story, TurnStory } from "./shapes";

export type Chapter = {
  story: TurnStory;
  row: Turn | undefined;
  phase: "waiting" | "running" | "ended";
  /** Messages sent to this turn that it has not read yet. */
  joining: Question[];
};

function phaseOf(story: TurnStory, row: Turn | undefined): Chapter["phase"] {
  if (story.ended) return "ended";
  if (row?.status === "waiting") return "waiting";
  return row === undefined || row.status === "running" ? "running" : "ended";
}

export function chaptersOf(story: Story, rows: Turn[]): Chapter[] {
  const chapters: Chapter[] = [];
  for (const turn of story.turns) {
    const row = rows.find((each) => each.id === turn.turn);
    if (turn.takenUpBy !== null || row?.taken_by) continue;
    const host = chapters.find((each) => each.story.turn === row?.joins);
    const phase = phaseOf(turn, row);
    if (host && phase === "waiting" && host.phase === "running" && turn.question) {
      host.joining.push(turn.question);
    } else {
      chapters.push({ story: turn, row, phase, joining: [] });
    }
  }
  return chapters;
}
