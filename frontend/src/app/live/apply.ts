/** What an event of the stream changes in the cache: entries, turns, text as it is written. */
import type { QueryClient } from "@tanstack/react-query";
import type { Entry, LiveText, TopicDetail, Turn } from "@/api/types";
import { topicQuery } from "@/features/topics/api/get-topic";
import { entriesQuery } from "@/features/transcript/api/get-entries";
import { writtenKey } from "@/features/transcript/api/written";
import { type Written, write } from "@/features/transcript/fold/live-text";
import { merge } from "@/features/transcript/fold/merge";
import { object, text } from "@/lib/read";

export function applyEntry(cache: QueryClient, entry: Entry): void {
  refreshTape(cache, entry.tape);
  if (entry.topic === null) return;
  cache.setQueryData(entriesQuery(entry.topic).queryKey, (known) =>
    known
      ? { entries: merge(known.entries, [entry]), head: Math.max(known.head, entry.seq) }
      : known,
  );
  if (entry.kind === "anchor" || isAboutTopic(entry)) refreshTopics(cache, entry.topic);
}

const changing = ["topic_described", "topic_renamed", "model_call_ended"];

/** What changes a topic's title, summary or cost without a turn, as when it has ended. */
function isAboutTopic({ kind, turn, payload }: Entry): boolean {
  return kind === "event" && turn === null && changing.includes(text(object(payload).name));
}

const breath = 700;
const refreshing = new Set<number>();

/** The tape page asks again, once for all that comes at nearly the same time. */
function refreshTape(cache: QueryClient, tape: number): void {
  if (refreshing.has(tape) || !cache.getQueryData(["tape", tape])) return;
  refreshing.add(tape);
  setTimeout(() => {
    refreshing.delete(tape);
    void cache.invalidateQueries({ queryKey: ["tape", tape] });
  }, breath);
}

function refreshTopics(cache: QueryClient, topic: number): void {
  void cache.invalidateQueries({ queryKey: topicQuery(topic).queryKey });
  void cache.invalidateQueries({ queryKey: ["topics"] });
  void cache.invalidateQueries({ queryKey: ["preview"] });
}

function withTurn(topic: TopicDetail, turn: Turn): TopicDetail {
  const others = topic.turns.filter((each) => each.id !== turn.id);
  const turns = [...others, turn].sort((one, other) => one.id - other.id);
  const busy = turns.some((each) => each.status === "waiting" || each.status === "running");
  return { ...topic, turns, busy };
}

export function applyTurn(cache: QueryClient, turn: Turn): void {
  const key = topicQuery(turn.topic).queryKey;
  const before = cache.getQueryData(key)?.turns.find((each) => each.id === turn.id)?.status;
  cache.setQueryData(key, (topic) => topic && withTurn(topic, turn));
  if (before !== turn.status) refreshTopics(cache, turn.topic);
}

export function applyText(cache: QueryClient, piece: LiveText): void {
  cache.setQueryData<Written>(writtenKey(piece.turn), (written) => write(written, piece));
}
