/** How events change the story: calls, messages taken up, corrections, the end of a turn. */
import type { Entry } from "@/api/types";
import { type Json, number, object, text } from "@/lib/read";
import type { Story, TurnStory } from "./shapes";

type Change = (story: Story, turn: TurnStory, data: Json, entry: Entry) => void;

const changes: Record<string, Change> = {
  model_call_started: (_story, turn) => {
    turn.calling = true;
  },
  model_call_ended: (_story, turn) => {
    turn.calling = false;
  },
  experiment_kept: (_story, turn) => {
    turn.experiment = false;
  },
  message_taken_up: (story, turn, data) => {
    const added = story.turns.find((each) => each.turn === number(data.turn));
    if (!added || added === turn) return;
    added.takenUpBy = turn.turn;
    if (added.question && !turn.added.includes(added.question)) turn.added.push(added.question);
  },
  turn_started: (_story, turn, data) => {
    if ((number(data.attempt) ?? 1) > 1) interruptOpenSteps(turn);
  },
  turn_ended: (_story, turn, data, entry) => {
    turn.calling = false;
    interruptOpenSteps(turn);
    turn.ended = { status: text(data.status), reason: text(data.reason), date: entry.date };
  },
};

function interruptOpenSteps(turn: TurnStory): void {
  for (const step of turn.steps) if (step.state === "running") step.state = "interrupted";
}

function correct(story: Story, data: Json, entry: Entry): void {
  const corrects = number(data.corrects);
  const corrected = story.turns.find(
    (turn) => turn.answer?.seq === corrects || turn.question?.seq === corrects,
  );
  corrected?.corrections.push({
    seq: entry.seq,
    text: text(data.text),
    actor: entry.actor,
    date: entry.date,
    withheld: entry.withheld,
  });
}

export function applyEvent(story: Story, turn: TurnStory | null, entry: Entry): void {
  const payload = object(entry.payload);
  const name = text(payload.name);
  const data = object(payload.data);
  if (name === "correction") correct(story, data, entry);
  else if (turn) changes[name]?.(story, turn, data, entry);
}
