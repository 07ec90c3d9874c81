/** Outcomes of hooks in people's words. */
import type { TFunction } from "i18next";
import type { Hook } from "@/api/types";
import { count, seconds } from "@/lib/wording";

const known = [
  "done",
  "failed",
  "refused",
  "not heeded",
  "left out",
  "switched off",
  "waiting",
  "running",
  "again",
] as const;

function word(outcome: string, t: TFunction): string {
  const found = known.find((each) => each === outcome);
  return found ? t(`hooks.outcome.${found}`) : outcome;
}

/** "12 ms", "1.5 s". */
function took(value: number, language: string): string {
  if (value < 1) return `${count(Math.max(1, Math.round(value * 1000)), language)} ms`;
  return `${seconds(value, language)} s`;
}

/** "97 done, 3 failed · half of them within 0.2 s". */
export function figuresOf({ figures }: Hook, t: TFunction, language: string): string {
  if (figures.runs === 0) return t("hooks.noRuns");
  const outcomes = Object.entries(figures.outcomes).map(
    ([outcome, runs]) => `${count(runs, language)} ${word(outcome, t)}`,
  );
  const told = outcomes.join(t("hooks.and"));
  if (figures.median_seconds === null) return told;
  return `${told} · ${t("hooks.median", { value: took(figures.median_seconds, language) })}`;
}

/** Whether something of the newest runs deserves a look. */
export function isTroubled({ figures, problem }: Hook): boolean {
  return problem !== "" || ["failed", "left out", "again"].includes(figures.last_outcome);
}
