/**
 * The transcript as a pure fold over a topic's entries.
 *
 * Nothing here asks, waits or draws: the same entries always tell the same story, and an entry of
 * a kind that is not known leaves the story as it was.
 */
import type { Entry } from "@/api/types";
import type { KeptOutput } from "@/components/long-output";
import { type Json, number, object, objects, parsed, text } from "@/lib/read";
import { applyEvent } from "./events";
import { overloadIn } from "./overloads";
import { placesCited, placesIn } from "./places";
import { referencesIn } from "./references";
import { routingFrom } from "./routing";
import type { Answer, Question, Step, Story, TurnStory } from "./shapes";

export function fold(entries: Entry[]): Story {
  const story: Story = { turns: [], places: {}, head: 0 };
  for (const entry of entries) apply(story, entry);
  return story;
}

function apply(story: Story, entry: Entry): void {
  story.head = Math.max(story.head, entry.seq);
  if (entry.turn === null) {
    if (entry.kind === "event") applyEvent(story, null, entry);
    return;
  }
  const turn = turnOf(story, entry.turn);
  if (entry.kind !== "event" && entry.step !== null) turn.lastStep = entry.step;
  handlers[entry.kind]?.(story, turn, entry);
}

function turnOf(story: Story, id: number): TurnStory {
  const known = story.turns.find((turn) => turn.turn === id);
  if (known) return known;
  const turn: TurnStory = {
    turn: id,
    question: null,
    experiment: false,
    references: [],
    added: [],
    takenUpBy: null,
    routing: null,
    steps: [],
    overloads: [],
    remarks: [],
    answer: null,
    lastStep: -1,
    calling: false,
    corrections: [],
    troubles: [],
    ended: null,
  };
  story.turns.push(turn);
  return turn;
}

type Handler = (story: Story, turn: TurnStory, entry: Entry) => void;

const handlers: Partial<Record<Entry["kind"], Handler>> = {
  message: (_story, turn, entry) => {
    const payload = object(entry.payload);
    const fromPerson = entry.withheld ? entry.actor.startsWith("person:") : payload.role === "user";
    if (fromPerson) {
      turn.question ??= questionFrom(entry, payload);
      turn.experiment ||= entry.meta.experiment === true;
    } else answer(turn, answerFrom(entry, payload), entry);
  },
  tool_call: (_story, turn, entry) => {
    const payload = object(entry.payload);
    const said = text(payload.content).trim();
    if (said) turn.remarks.push({ seq: entry.seq, text: said, before: turn.steps.length });
    if (entry.withheld)
      turn.steps.push({ ...emptyStep(`withheld-${entry.seq}`), state: "withheld" });
    turn.steps.push(...objects(payload.calls).map(stepFrom));
  },
  tool_result: (story, turn, entry) => {
    for (const result of objects(object(entry.payload).results)) settle(story, turn, result, entry);
    if (entry.withheld) {
      for (const step of turn.steps) if (step.state === "running") step.state = "withheld";
    }
  },
  anchor: (_story, turn, entry) => {
    turn.references.push(...referencesIn(entry));
    const overload = overloadIn(entry);
    if (overload) turn.overloads.push(overload);
  },
  error: (_story, turn, entry) => {
    const payload = object(entry.payload);
    turn.troubles.push({
      seq: entry.seq,
      kind: text(payload.kind),
      message: text(payload.message),
    });
  },
  event: applyEvent,
};

function questionFrom(entry: Entry, payload: Json): Question {
  return {
    seq: entry.seq,
    text: text(payload.content),
    date: entry.date,
    actor: entry.actor,
    withheld: entry.withheld,
  };
}

/** A partial answer ends with a sentence in brackets, why it ended; the page says so by itself. */
const closingNote = /(?:^|\n\n)[(（][^\n]*[)）]\s*$/;

function answerFrom(entry: Entry, payload: Json): Answer {
  const { places, invalid } = placesCited(entry.meta);
  const content = text(payload.content);
  return {
    seq: entry.seq,
    step: entry.step,
    text: entry.meta.partial === true ? content.replace(closingNote, "") : content,
    language: text(entry.meta.language) || null,
    citations: places,
    invalid,
    verified: entry.meta.verified !== false,
    partial: entry.meta.partial === true,
    found: typeof entry.meta.found === "boolean" ? entry.meta.found : null,
    withheld: entry.withheld,
  };
}

function answer(turn: TurnStory, said: Answer, entry: Entry): void {
  turn.routing = routingFrom(object(entry.meta.routing)) ?? turn.routing;
  if (said.text.trim() || said.withheld) turn.answer = said;
}

function emptyStep(call: string): Step {
  return {
    call,
    tool: "",
    state: "running",
    args: {},
    data: {},
    seconds: null,
    error: null,
    output: null,
  };
}

function stepFrom(call: Json): Step {
  const called = object(call.function);
  return { ...emptyStep(text(call.id)), tool: text(called.name), args: parsed(called.arguments) };
}

function settle(story: Story, turn: TurnStory, result: Json, entry: Entry): void {
  const step = turn.steps.find((each) => each.call === text(result.id) && each.state === "running");
  if (!step) return;
  step.data = object(result.data);
  step.seconds = number(result.seconds);
  step.error = text(result.error) || null;
  step.output = keptOf(entry, result);
  step.state = step.error ? "failed" : "done";
  for (const place of placesIn(step.data)) story.places[place.marker] ??= place;
  turn.routing ??= routingFrom(object(step.data.routing));
}

function keptOf(entry: Entry, result: Json): KeptOutput | null {
  const spill = object(result.spill);
  const pages = number(spill.pages) ?? 0;
  if (pages < 2) return null;
  const chars = number(spill.chars) ?? 0;
  return { tape: entry.tape, seq: entry.seq, call: text(result.id), pages, chars };
}
