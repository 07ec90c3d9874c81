/** How a repository stands, and in which words. */
import i18next, { type TFunction } from "i18next";
import type { Repository } from "@/api/types";
import { ago, count } from "@/lib/wording";

export type State = "fresh" | "indexing" | "waiting" | "failed" | "new";

/** What happens now comes before how the last indexing ended. */
export function stateOf({ status, run }: Repository): State {
  if (run?.status === "running") return "indexing";
  if (run?.status === "waiting") return "waiting";
  return status;
}

export function counted(repositories: Repository[]): Record<State, number> {
  const counts: Record<State, number> = { fresh: 0, indexing: 0, waiting: 0, failed: 0, new: 0 };
  for (const repository of repositories) counts[stateOf(repository)] += 1;
  return counts;
}

/** When any of its branches was last indexed. */
function lastIndexed({ branches }: Repository): string | null {
  const moments = branches.map((branch) => branch.indexed_at).filter((each) => each !== null);
  return moments.sort().at(-1) ?? null;
}

/** Why it cannot be fetched, in the reader's language where the reason is a known one. */
function reasonWords({ error, error_code }: Repository, t: TFunction): string {
  const key = `repositories.cannot.${error_code}`;
  return error_code && i18next.exists(key) ? String(t(key as never)) : error;
}

const minute = 60;

function timeLeft(seconds: number, t: TFunction): string {
  if (seconds < minute) return t("repositories.lessThanAMinute");
  return t("repositories.minutesLeft", { count: Math.round(seconds / minute) });
}

/** "1,204 of 1,940 files · about 2 minutes left · answers use the last index meanwhile". */
function progressWords(repository: Repository, t: TFunction, language: string): string[] {
  const { run } = repository;
  if (!run) return [];
  const figures = { done: count(run.done, language), total: count(run.total, language) };
  const phase = ["fetch", "vocabulary"].find((each) => each === run.phase) ?? "files";
  const words =
    run.total > 0
      ? t("repositories.filesDone", figures)
      : t(`repositories.phase.${phase}` as "repositories.phase.fetch");
  const left = run.seconds_left ?? null;
  return [
    words,
    left === null ? "" : timeLeft(left, t),
    lastIndexed(repository) ? t("repositories.lastIndexUsed") : "",
  ].filter(Boolean);
}

/** One line below the description in the list. */
export function metaWords(repository: Repository, t: TFunction, language: string): string[] {
  const state = stateOf(repository);
  const indexed = lastIndexed(repository);
  if (state === "indexing") return progressWords(repository, t, language);
  if (state === "waiting") {
    const place = repository.run?.place ?? null;
    return [
      place === null ? t("turn.startsSoon") : t("turn.queue", { count: place, ordinal: true }),
    ];
  }
  if (state === "failed") {
    const version = indexed ? t("repositories.versionOf", { ago: ago(indexed, language) }) : "";
    return [version, reasonWords(repository, t)].filter(Boolean);
  }
  const names = repository.branches.map((branch) => branch.name).join(t("turn.listComma"));
  const fresh = indexed
    ? t("repositories.indexed", { ago: ago(indexed, language) })
    : t("repositories.neverIndexed");
  return [names, fresh].filter(Boolean);
}

/** What it is about, in the reader's language, else in the other. */
export function aboutWords({ description }: Repository, language: string): string {
  const { zh, en } = description;
  return language === "zh" ? zh || en : en || zh;
}
