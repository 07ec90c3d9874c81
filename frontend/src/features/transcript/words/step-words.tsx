/** Steps in people's words: what was done, and, while it runs, what is being done. */
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { Trans } from "react-i18next";
import { number, objects, text } from "@/lib/read";
import type { Step } from "../fold/shapes";

const parts = { b: <b />, path: <b className="mono" /> };

/** The sentence's key and what fills it in; the nouns are the tools' arguments and results. */
type Wording = { key: string; values: Record<string, unknown> };

function fileOf(step: Step): string {
  const path = text(step.data.path) || text(step.args.path);
  const repository = text(step.data.repository) || text(step.args.repository);
  return repository ? `${repository}/${path}` : path;
}

function linesOf(step: Step): string {
  const start = number(step.data.start_line) ?? number(step.args.start_line);
  const end = number(step.data.end_line) ?? number(step.args.end_line);
  if (start === null) return "";
  return end === null || end === start ? `${start}` : `${start}–${end}`;
}

function sizeOf(value: unknown): number {
  return number(value) ?? objects(value).length;
}

/** Every wording of a search, in the order they were asked. */
function wordingsOf(step: Step): string[] {
  const lists = [step.data.queries, step.args.queries].filter(Array.isArray);
  const wordings = (lists[0] ?? []).map(text).filter(Boolean);
  return wordings.length > 0 ? wordings : [queryOf(step)].filter(Boolean);
}

function searched(step: Step, t: TFunction): Wording {
  const query = wordingsOf(step).join(t("turn.listComma"));
  const places = number(step.data.places) ?? objects(step.data.hits).length;
  const repositories = sizeOf(step.data.repositories);
  if (places === 0) return { key: "step.searchedNothing", values: { query } };
  const words = { query, places: t("step.places", { count: places }) };
  if (repositories < 2) return { key: "step.searched", values: words };
  return {
    key: "step.searchedIn",
    values: { ...words, repositories: t("step.repositories", { count: repositories }) },
  };
}

function prefixOf(step: Step): string {
  const prefix = text(step.data.prefix) || text(step.args.prefix) || text(step.args.path);
  const repository = text(step.data.repository) || text(step.args.repository);
  return [repository, prefix].filter(Boolean).join("/") || "/";
}

const done: Record<string, (step: Step, t: TFunction) => Wording> = {
  search_code: searched,
  read_lines: (step) => ({
    key: "step.read",
    values: { path: fileOf(step), lines: linesOf(step) },
  }),
  list_files: (step) => ({
    key: "step.listed",
    values: { prefix: prefixOf(step), count: listed(step.data.files) },
  }),
  find_symbol: (step) => ({
    key: "step.symbol",
    values: { name: symbolOf(step), count: sizeOf(step.data.uses) },
  }),
  outline: (step) => ({
    key: "step.outline",
    values: { path: fileOf(step), count: sizeOf(step.data.symbols) },
  }),
  blame: (step) => ({
    key: "step.blame",
    values: { path: fileOf(step), lines: linesOf(step) },
  }),
  log: (step) => ({
    key: "step.log",
    values: { path: fileOf(step), count: sizeOf(step.data.commits) },
  }),
  list_repositories: (step) => ({
    key: "step.listedRepositories",
    values: { count: listed(step.data.repositories) },
  }),
  look_up_facts: (step) => ({
    key: "step.facts",
    values: { query: queryOf(step), count: sizeOf(step.data.facts) },
  }),
  recall: (step) => ({
    key: "step.recall",
    values: { query: text(step.args.about), count: listed(step.data.topics) },
  }),
  search_tape: (step) => ({
    key: "step.tape",
    values: { query: queryOf(step), count: sizeOf(step.data.hits) },
  }),
};

function listed(value: unknown): number {
  return Array.isArray(value) ? value.length : sizeOf(value);
}

function symbolOf(step: Step): string {
  return text(step.data.name) || text(step.args.name) || text(step.args.symbol);
}

function queryOf(step: Step): string {
  return text(step.data.query) || text(step.args.query);
}

const running: Record<string, (step: Step, t: TFunction) => Wording> = {
  search_code: (step, t) => ({
    key: "now.searching",
    values: { query: wordingsOf(step).join(t("turn.listComma")) },
  }),
  read_lines: (step) => ({ key: "now.reading", values: { path: fileOf(step) } }),
  list_files: (step) => ({ key: "now.listing", values: { prefix: prefixOf(step) } }),
  find_symbol: (step) => ({ key: "now.symbol", values: { name: symbolOf(step) } }),
  outline: (step) => ({ key: "now.outline", values: { path: fileOf(step) } }),
  blame: (step) => ({ key: "now.blame", values: { path: fileOf(step) } }),
  log: (step) => ({ key: "now.log", values: { path: fileOf(step) } }),
  list_repositories: () => ({ key: "now.listingRepositories", values: {} }),
  look_up_facts: (step) => ({ key: "now.facts", values: { query: queryOf(step) } }),
  recall: (step) => ({ key: "now.recall", values: { query: text(step.args.about) } }),
  search_tape: (step) => ({ key: "now.tape", values: { query: queryOf(step) } }),
};

function sentence({ key, values }: Wording): ReactNode {
  // The key is one of a closed set built above; its type is the whole catalogue's.
  return <Trans i18nKey={key as never} values={values} components={parts} />;
}

/** "Searched code for …", "Read path 1–58". */
export function stepDone(step: Step, t: TFunction): ReactNode {
  const word = step.state === "done" ? done[step.tool] : undefined;
  if (word) return sentence(word(step, t));
  return stepRunning(step, t);
}

/** "Searching code for …", "Reading path". */
export function stepRunning(step: Step, t: TFunction): ReactNode {
  const word = running[step.tool];
  return sentence(word ? word(step, t) : { key: "now.other", values: { name: step.tool } });
}
