/** One turn: the question, where it landed, the steps, the answer and what it rests on. */
import { useQuery } from "@tanstack/react-query";
import type { Turn } from "@/api/types";
import { number } from "@/lib/read";
import { writtenQuery } from "../api/written";
import type { Chapter } from "../fold/chapters";
import { citationsIn, tidied } from "../fold/citations";
import type { Citation, TurnStory } from "../fold/shapes";
import { Answer, WritingAnswer } from "./answer";
import { Correction } from "./correction";
import { Ending } from "./ending";
import { Experiment } from "./experiment";
import { Overloads } from "./overloads";
import { AddedMessage, QuestionHeading } from "./question";
import { References } from "./references";
import { RoutingLine } from "./routing-line";
import { Sources } from "./sources";
import { Steps } from "./steps";
import { useTranscript } from "./transcript-context";
import { TurnActs } from "./turn-acts";
import { UsedFacts } from "./used-facts";
import { Waiting } from "./waiting";

/** Whether the turn's searches found anything; a turn that never searched has nothing to miss. */
function foundSomething(story: TurnStory, cited: Citation[]): boolean {
  if (story.answer?.found !== null && story.answer?.found !== undefined) return story.answer.found;
  const searches = story.steps.filter(
    (step) => step.tool === "search_code" && step.state === "done",
  );
  const places = searches.map((step) => number(step.data.places) ?? 0);
  return cited.length > 0 || searches.length === 0 || places.some((count) => count > 0);
}

function useWritten(story: TurnStory, running: boolean): string {
  const { data } = useQuery(writtenQuery(story.turn));
  if (!running || story.answer || !data || data.step <= story.lastStep) return "";
  return tidied(data.text);
}

function Body({ chapter, written }: { chapter: Chapter; written: string }) {
  const { story, row, phase } = chapter;
  const { citations } = useTranscript();
  const cited = citationsIn(story.answer?.text ?? written, citations);
  const ended = phase === "ended";
  const found = foundSomething(story, cited);
  // An answer that found nothing lands nowhere, whatever the searches came near to.
  const landed = !story.answer || found;
  return (
    <>
      <UsedFacts turn={story.turn} />
      {landed && story.routing && <RoutingLine routing={story.routing} />}
      {(phase === "running" || story.steps.length > 0 || story.answer) && (
        <Steps
          story={story}
          turn={row}
          running={!ended}
          checked={story.answer ? story.answer.citations.length : null}
        />
      )}
      <Overloads overloads={story.overloads} />
      {story.added.map((message) => (
        <AddedMessage key={message.seq} message={message} taken />
      ))}
      {chapter.joining.map((message) => (
        <AddedMessage key={message.seq} message={message} taken={false} />
      ))}
      {story.answer && <Answer answer={story.answer} story={story} found={found} />}
      {written && <WritingAnswer text={written} />}
      {story.corrections.map((correction) => (
        <Correction key={correction.seq} correction={correction} />
      ))}
      {story.answer && <Sources citations={cited} />}
      {ended && <Ended story={story} row={row} />}
    </>
  );
}

/** How the turn ended, and what can be done now, but for one that was discarded. */
function Ended({ story, row }: { story: TurnStory; row: Turn | undefined }) {
  return (
    <>
      <Ending ended={endOf(story, row)} began={hasBegun(story)} />
      {!story.experiment && <TurnActs question={story.question} answer={story.answer} />}
    </>
  );
}

function endOf(story: TurnStory, row: Turn | undefined) {
  return story.ended ?? { status: row?.status ?? "done", reason: row?.reason ?? "" };
}

function hasBegun(story: TurnStory): boolean {
  return story.steps.length > 0 || story.answer !== null || story.lastStep >= 0;
}

type Props = { chapter: Chapter; behind: boolean; mine: boolean };

export function TurnArticle({ chapter, behind, mine }: Props) {
  const { story, row, phase } = chapter;
  const written = useWritten(story, phase === "running");
  return (
    <article
      className={`turn ${phase}${story.experiment ? " tried" : ""}`}
      data-turn={story.turn}
      id={`turn-${story.turn}`}
    >
      {story.question && (
        <QuestionHeading question={story.question} asker={row?.asker.display_name ?? ""} />
      )}
      <References references={story.references} />
      {story.experiment && (
        <Experiment story={story} row={row} ended={phase === "ended"} mine={mine} />
      )}
      {phase === "waiting" ? (
        <Waiting row={row} behind={behind} mine={mine} />
      ) : (
        <Body chapter={chapter} written={written} />
      )}
    </article>
  );
}
