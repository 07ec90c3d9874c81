/** A turn's steps: open while it runs, folded into one line of figures when it has ended. */
import type { TFunction } from "i18next";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/types";
import { Icon } from "@/components/icon";
import { spentText } from "@/lib/spent";
import { count, languageOf, seconds } from "@/lib/wording";
import type { TurnStory } from "../fold/shapes";
import { StepLine } from "./step-line";

function useFigures(story: TurnStory, turn: Turn | undefined): string[] {
  const { t, i18n } = useTranslation();
  const figures = [stepFigures(story, t)];
  if (turn?.started_at && turn.ended_at) {
    const passed = (Date.parse(turn.ended_at) - Date.parse(turn.started_at)) / 1000;
    figures.push(t("turn.seconds", { value: seconds(passed, i18n.language) }));
  }
  figures.push(...costFigures(turn, t, i18n.language));
  return figures;
}

/** Tokens and money; a rule-driven answer used neither, and an unknown price is not zero. */
function costFigures(turn: Turn | undefined, t: TFunction, language: string): string[] {
  if (!turn?.usage) return [];
  const { input, cached, output, reasoning } = turn.usage;
  const tokens = input + cached + output + reasoning;
  if (tokens === 0) return [];
  const spent = turn.cost ? spentText(turn.cost, t, language) : "";
  return [t("turn.tokens", { value: count(tokens, language) }), spent].filter(Boolean);
}

function stepFigures(story: TurnStory, t: TFunction): string {
  const used = (tool: string) => story.steps.filter((step) => step.tool === tool);
  const searches = used("search_code").length + used("search_tape").length;
  const read = new Set(used("read_lines").map((step) => `${step.data.path ?? step.args.path}`))
    .size;
  const words = [
    searches > 0 ? t("turn.searches", { count: searches }) : "",
    read > 0 ? t("turn.filesRead", { count: read }) : "",
  ].filter(Boolean);
  if (words.length > 0) return words.join(t("turn.comma"));
  return story.steps.length > 0
    ? t("turn.steps", { count: story.steps.length })
    : t("turn.noSteps");
}

function Remarks({ story, before }: { story: TurnStory; before: number }) {
  return story.remarks
    .filter((remark) => remark.before === before)
    .map((remark) => (
      <li key={remark.seq}>
        <span lang={languageOf(remark.text)} dir="auto">
          {remark.text}
        </span>
      </li>
    ));
}

function StepList({ story, checked }: { story: TurnStory; checked: number | null }) {
  const { t } = useTranslation();
  return (
    <ol>
      {story.steps.map((step, index) => (
        <Fragment key={step.call}>
          <Remarks story={story} before={index} />
          <StepLine step={step} />
        </Fragment>
      ))}
      {story.troubles.map((trouble) => (
        <li key={trouble.seq} className="step-trouble">
          <span>{trouble.message || trouble.kind}</span>
        </li>
      ))}
      {checked !== null && (
        <li>
          <span>{checked > 0 ? t("step.wrote", { count: checked }) : t("step.wroteNone")}</span>
        </li>
      )}
    </ol>
  );
}

type Props = { story: TurnStory; turn: Turn | undefined; running: boolean; checked: number | null };

export function Steps({ story, turn, running, checked }: Props) {
  const figures = useFigures(story, turn);
  if (running) {
    return story.steps.length > 0 ? (
      <div className="steps">
        <StepList story={story} checked={null} />
      </div>
    ) : null;
  }
  return (
    <details className="steps">
      <summary>
        <Icon name="chevron" />
        <span className="dotted">
          {figures.map((figure) => (
            <span key={figure}>{figure}</span>
          ))}
        </span>
      </summary>
      <StepList story={story} checked={checked} />
    </details>
  );
}
