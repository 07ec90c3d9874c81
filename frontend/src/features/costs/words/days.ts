/** Days of a period as the bars of a plot: each day by itself, weeks where there are too many. */
import type { CostDay } from "@/api/types";
import { type Measure, measured } from "./figures";

export type Bar = { first: string; last: string; parts: Record<string, number>; total: number };

const mostBars = 62;
const dayLength = 86_400_000;

function plus(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayLength).toISOString().slice(0, 10);
}

function daysBetween(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / dayLength);
}

/** Bars from the first day to the last, those without a call too. */
export function barsOf(
  period: { first: string; last: string },
  days: CostDay[],
  measure: Measure,
): Bar[] {
  const step = daysBetween(period.first, period.last) >= mostBars ? 7 : 1;
  const bars: Bar[] = [];
  for (let day = period.first; day <= period.last; day = plus(day, step)) {
    const last = plus(day, Math.min(step - 1, daysBetween(day, period.last)));
    bars.push({ first: day, last, parts: {}, total: 0 });
  }
  for (const each of days) {
    const bar = bars[Math.floor(daysBetween(period.first, each.day) / step)];
    if (!bar) continue;
    const value = measured(each, measure);
    bar.parts[each.purpose] = (bar.parts[each.purpose] ?? 0) + value;
    bar.total += value;
  }
  return bars;
}
