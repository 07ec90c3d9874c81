/** What the composer knows and does: the draft, where it goes, what stands in its way, the press. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api/errors";
import type { Asked, Question } from "@/api/types";
import { type Place, previewQuery } from "../api/preview";
import { everywhere } from "./scope-picker";
import { useAsking } from "./use-asking";
import { useDraft } from "./use-draft";

const longestQuestion = 20_000;

type Given = { place: Place; offline: boolean; onAsked: (asked: Asked) => void };

function useTrouble(asking: ReturnType<typeof useAsking>, text: string, pressedEmpty: boolean) {
  const { t } = useTranslation();
  const excess = Array.from(text).length - longestQuestion;
  if (excess > 0) return t("ask.tooLong", { count: excess });
  if (pressedEmpty && !text.trim()) return t("ask.empty");
  return asking.isError ? t(refusalOf(asking.error), { reason: asking.error.message }) : "";
}

const refusals = {
  empty_question: "ask.empty",
  missing_anchor: "ask.anchorLost",
  question_too_long: "ask.far",
  question_not_text: "ask.notText",
  tape_busy: "ask.busy",
  topic_refused: "ask.refused",
  too_many_requests: "ask.tooOften",
  turn_elsewhere: "ask.turnGone",
  unknown_branch: "ask.noBranch",
} as const;

type Refusal = (typeof refusals)[keyof typeof refusals] | "ask.failed";

/** In the reader's language by its code; a hook's own reason is told in the hook's words. */
function refusalOf(error: Error): Refusal {
  const code = error instanceof ApiError ? error.code : "";
  return code in refusals ? refusals[code as keyof typeof refusals] : "ask.failed";
}

function placeOf({ topic, tape }: Place, joins: number | undefined) {
  if (!topic) return { tape: tape ?? null };
  return { topic, ...(joins ? { joins } : {}) };
}

/** A message added to a running turn has that turn's window. */
function anchorOf({ after }: Place, joins: number | undefined): string {
  return after && !joins ? String(after.seq) : "";
}

export function useComposer({ place, offline, onAsked }: Given) {
  const [text, setText] = useDraft(place.topic ? `topic-${place.topic}` : "new");
  const [keepOpen, setKeepOpen] = useState(false);
  const [joining, setJoining] = useState(false);
  const [experiment, setExperiment] = useState(false);
  const [scope, setScope] = useState(everywhere);
  const [pressedEmpty, setPressedEmpty] = useState(false);
  const { data: preview } = useQuery(previewQuery(place, keepOpen));
  const asking = useAsking((asked) => {
    setText("");
    setJoining(false);
    setExperiment(false);
    onAsked(asked);
  });
  const trouble = useTrouble(asking, text, pressedEmpty);

  const submit = () => {
    setPressedEmpty(!text.trim());
    if (!text.trim() || asking.isPending || offline || text.length > longestQuestion * 2) return;
    const joins = joining ? (preview?.running_turn ?? undefined) : undefined;
    const after_anchor = anchorOf(place, joins);
    const where = placeOf(place, joins);
    const how = { keep_open: keepOpen, after_anchor, experiment: experiment && !joins };
    const question: Question = { text, ...how, ...where, ...scope };
    asking.mutate(question);
  };
  return {
    text,
    setText,
    scope,
    setScope,
    preview,
    trouble,
    submit,
    sending: asking.isPending,
    keepOpen: { on: keepOpen, set: setKeepOpen },
    joining: { on: joining, set: setJoining },
    experiment: { on: experiment, set: setExperiment },
  };
}
