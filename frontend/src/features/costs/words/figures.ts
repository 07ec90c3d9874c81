/** Amounts and tokens of costs as people write them; different currencies are never added. */
import type { TFunction } from "i18next";
import type { CostFigures, Spent } from "@/api/types";
import { localeOf } from "@/lib/i18n";

/** What a plot counts: an amount of one currency, or all tokens. */
export type Measure = { currency: string; tokens: boolean };

export function tokensOf(figures: Spent): number {
  const { input, cached, output, reasoning } = figures.tokens;
  return input + cached + output + reasoning;
}

export function amountIn(figures: Spent, currency: string): number {
  return Number(figures.money.find((money) => money.currency === currency)?.amount ?? 0);
}

export function measured(figures: CostFigures, { currency, tokens }: Measure): number {
  return tokens ? tokensOf(figures) : amountIn(figures, currency);
}

/** Money of a page of sums: two digits, or as many as a small amount needs to be seen. */
export function sum(amount: number, currency: string, language: string): string {
  const small = amount !== 0 && Math.abs(amount) < 0.1;
  return new Intl.NumberFormat(localeOf(language), {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 2,
    maximumFractionDigits: small ? 6 : 2,
  }).format(amount);
}

/** 412,800,000 as "412.8M": short in every language, as figures of tokens are. */
export function short(tokens: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(
    tokens,
  );
}

export function written(value: number, { currency, tokens }: Measure, language: string): string {
  return tokens ? short(value) : sum(value, currency, language);
}

/** What some calls come to, in words: a price nobody knows is unknown, never zero. */
export function said(
  figures: CostFigures,
  measure: Measure,
  t: TFunction,
  language: string,
): string {
  const value = measured(figures, measure);
  if (!measure.tokens && value === 0 && figures.unknown_calls > 0) return t("turn.priceUnknown");
  return written(value, measure, language);
}

/** How much more than before, as a share; null where there was nothing before. */
export function change(now: number, before: number): number | null {
  return before === 0 ? null : (now - before) / before;
}
