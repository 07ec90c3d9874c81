/** Events in people's words; a name that is not known is shown as it is. */
import type { TFunction } from "i18next";
import type { Entry } from "@/api/types";
import { type Json, number, object, text } from "@/lib/read";
import { money, seconds } from "@/lib/wording";
import type { Call } from "../fold/call";
import { tokenWords } from "./figures";
import { hookWords } from "./hook-words";

type Told = { data: Json; who: string; t: TFunction };

function reasonOf({ data }: Told): string {
  return [text(data.status), text(data.reason)].filter(Boolean).join(", ");
}

const statuses = ["done", "stopped", "failed"] as const;

function turnEnded(told: Told): string {
  const status = statuses.find((each) => each === told.data.status);
  return status ? told.t(`tape.event.turn.${status}`) : reasonOf(told);
}

function erasedWords({ data, t }: Told): string {
  return t("tape.event.erased", { first: number(data.first), last: number(data.last) });
}

const events: Record<string, (told: Told) => string> = {
  turn_started: ({ data, t }) =>
    (number(data.attempt) ?? 1) > 1
      ? t("tape.event.attempt", { number: data.attempt })
      : t("tape.event.turnStarted"),
  turn_ended: turnEnded,
  handoff: ({ data, t }) => t("tape.event.handoff", { name: text(data.name) }),
  correction: ({ data, who, t }) =>
    t("tape.event.correction", { seq: data.corrects, who, text: text(data.text) }),
  finalize_requested: ({ t }) => t("tape.event.finalizeRequested"),
  finalize_withdrawn: ({ t }) => t("tape.event.finalizeWithdrawn"),
  reset_requested: ({ data, t }) => t("tape.event.resetRequested", { why: text(data.why) }),
  experiment_kept: ({ t }) => t("tape.event.experimentKept"),
  topic_described: ({ data, t }) => t("tape.event.described", { title: text(data.title) }),
  recall_dismissed: ({ data, t }) => t("tape.event.recallDismissed", { topic: data.topic }),
  recall_restored: ({ data, t }) => t("tape.event.recallRestored", { topic: data.topic }),
  topic_renamed: ({ data, t }) => t("tape.event.renamed", { title: text(data.title) }),
  fact_proposed: ({ data, t }) => t("tape.event.factProposed", { text: text(data.text) }),
  fact_joined: ({ data, t }) => t("tape.event.factJoined", { id: data.fact }),
  fact_accepted: ({ data, who, t }) => t("tape.event.factAccepted", { id: data.fact, who }),
  fact_edited: ({ data, who, t }) =>
    t("tape.event.factEdited", { id: data.fact, who, text: text(data.text) }),
  fact_rejected: ({ data, who, t }) =>
    t("tape.event.factRejected", { id: data.fact, who, reason: text(data.reason) }),
  fact_withdrawn: ({ data, t }) => t("tape.event.factWithdrawn", { id: data.fact }),
  fact_stale: ({ data, t }) => t("tape.event.factStale", { id: data.fact }),
  fact_fresh: ({ data, t }) => t("tape.event.factFresh", { id: data.fact }),
  stop_requested: ({ t }) => t("tape.event.stopRequested"),
  message_taken_up: ({ data, t }) => t("tape.event.takenUp", { seq: data.seq }),
  tape_closed: ({ t }) => t("tape.event.closed"),
  side_line: ({ data, t }) => t("tape.event.sideLine", { note: text(data.note) }),
  erased: erasedWords,
  fork_merged: ({ data, t }) => t("tape.event.merged", { fork: data.fork }),
  fork_discarded: ({ data, t }) => t("tape.event.discarded", { fork: data.fork }),
  hook: ({ data, t }) => hookWords(data, t),
};

export function eventWords(entry: Entry, who: string, t: TFunction): string {
  const payload = object(entry.payload);
  const name = text(payload.name);
  return events[name]?.({ data: object(payload.data), who, t }) || name;
}

const callStatuses = ["failed", "cut", "stopped", "unknown"] as const;

function callStatus(status: string, t: TFunction): string[] {
  const known = callStatuses.find((each) => each === status);
  if (known) return [t(`tape.event.callStatus.${known}`)];
  return status && status !== "ok" ? [status] : [];
}

/** "12,310 tokens", "¥0.14", "6.2 s": what is known of a call that has ended. */
export function callFigures(call: Call, t: TFunction, language: string): string[] {
  if (!call.ended) return [call.model];
  const figures = callStatus(call.status, t);
  if (call.tokens) figures.push(tokenWords(call.tokens, t, language));
  if (call.tokens)
    figures.push(
      call.price && call.currency
        ? money(call.price, call.currency, language)
        : t("turn.priceUnknown"),
    );
  if (call.seconds !== null)
    figures.push(t("turn.seconds", { value: seconds(call.seconds, language) }));
  return figures;
}
