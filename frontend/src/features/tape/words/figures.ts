/** Figures of a tape in people's words. */
import type { TFunction } from "i18next";
import type { TapeDetail } from "@/api/types";
import { spentText } from "@/lib/spent";
import { count } from "@/lib/wording";

export function tokenWords(tokens: number, t: TFunction, language: string): string {
  return t("turn.tokens", { value: count(tokens, language) });
}

export function entryCount(entries: number, t: TFunction, language: string): string {
  return t("tape.entries", { count: entries, formatted: count(entries, language) });
}

/** What the tape cost; nothing where no call used a token, and an unknown price is not zero. */
export function costWords(
  tape: Pick<TapeDetail, "cost">,
  t: TFunction,
  language: string,
): string | null {
  if (!tape.cost) return null;
  const used = Object.values(tape.cost.tokens).reduce((sum, each) => sum + each, 0);
  return used === 0 ? null : spentText(tape.cost, t, language) || null;
}

/** "1–96", or "7" alone. */
export function rangeWords(first: number, last: number | null, language: string): string {
  const from = count(first, language);
  if (last === null) return `${from}–`;
  return last === first ? from : `${from}–${count(last, language)}`;
}
