/** Figures of a tape in people's words. */
import type { TFunction } from "i18next";
import type { TapeDetail } from "@/api/types";
import { count, money } from "@/lib/wording";

export function tokenWords(tokens: number, t: TFunction, language: string): string {
  return t("turn.tokens", { value: count(tokens, language) });
}

export function entryCount(entries: number, t: TFunction, language: string): string {
  return t("tape.entries", { count: entries, formatted: count(entries, language) });
}

/** What the tape cost; nothing where no call used a token, and an unknown price is not zero. */
export function costWords(
  tape: Pick<TapeDetail, "usage" | "cost">,
  t: TFunction,
  language: string,
): string | null {
  const used = tape.usage ? Object.values(tape.usage).reduce((sum, each) => sum + each, 0) : 0;
  if (used === 0) return null;
  if (!tape.cost?.currency) return t("turn.priceUnknown");
  return money(tape.cost.amount, tape.cost.currency, language);
}

/** "1–96", or "7" alone. */
export function rangeWords(first: number, last: number | null, language: string): string {
  const from = count(first, language);
  if (last === null) return `${from}–`;
  return last === first ? from : `${from}–${count(last, language)}`;
}
