/** The one line above the composer that says what is happening now, with Stop in reach. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNow } from "@/lib/clock";
import { count } from "@/lib/wording";
import { writtenQuery } from "../api/written";
import type { Chapter } from "../fold/chapters";
import type { TurnStory } from "../fold/shapes";
import { stepRunning } from "../words/step-words";
import { StopButton } from "./stop-button";

function useDoing(story: TurnStory): ReactNode {
  const { t } = useTranslation();
  const { data: written } = useQuery(writtenQuery(story.turn));
  const step = story.steps.find((each) => each.state === "running");
  if (step) return stepRunning(step, t);
  if (story.answer || (written && written.step > story.lastStep)) return t("now.writing");
  return story.calling || story.steps.length > 0 ? t("now.thinking") : t("now.starting");
}

function stepNumber(story: TurnStory): number {
  const running = story.steps.findIndex((step) => step.state === "running");
  return running >= 0 ? running + 1 : story.steps.length + 1;
}

export function StatusLine({ chapter, mine }: { chapter: Chapter; mine: boolean }) {
  const { t, i18n } = useTranslation();
  const { story, row } = chapter;
  const doing = useDoing(story);
  const now = useNow(1000);
  const since = row?.started_at
    ? Math.max(0, Math.floor((now - Date.parse(row.started_at)) / 1000))
    : 0;
  return (
    <div className="status-line">
      <span className="breathing" />
      <span className="grow dotted">
        <span role="status">{doing}</span>
        <span className="nowrap">{t("now.step", { number: stepNumber(story) })}</span>
        <span className="nowrap">{t("now.seconds", { value: count(since, i18n.language) })}</span>
      </span>
      {mine && <StopButton turn={story.turn} running />}
    </div>
  );
}
