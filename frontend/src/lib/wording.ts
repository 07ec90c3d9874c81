/** Dates, durations and amounts as people write them, in the page's language. */
import i18next from "i18next";
import { localeOf } from "./i18n";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function daysApart(from: Date, to: Date): number {
  const start = new Date(from.getFullYear(), from.getMonth(), from.getDate());
  const end = new Date(to.getFullYear(), to.getMonth(), to.getDate());
  return Math.round((end.getTime() - start.getTime()) / day);
}

function clock(date: Date, language: string): string {
  return new Intl.DateTimeFormat(localeOf(language), { hour: "2-digit", minute: "2-digit" }).format(
    date,
  );
}

/** "27 Nov", "11月27日"; with the year only when it is not this one. */
export function calendarDay(iso: string, language: string, now = new Date()): string {
  const date = new Date(iso);
  const otherYear = date.getFullYear() !== now.getFullYear();
  return new Intl.DateTimeFormat(localeOf(language), {
    day: "numeric",
    month: language.startsWith("zh") ? "long" : "short",
    ...(otherYear ? { year: "numeric" } : {}),
  }).format(date);
}

function relativeDay(apart: number, language: string): string {
  return new Intl.RelativeTimeFormat(localeOf(language), { numeric: "auto" }).format(-apart, "day");
}

/** "today 14:02", "yesterday 17:40", "27 Nov 09:15". */
export function moment(iso: string, language: string, now = new Date()): string {
  const date = new Date(iso);
  const apart = daysApart(date, now);
  const dayText =
    apart === 0 || apart === 1 ? relativeDay(apart, language) : calendarDay(iso, language, now);
  return `${dayText} ${clock(date, language)}`;
}

/** "2 min ago" within the day, then a day and time, then the day alone. */
export function ago(iso: string, language: string, now = new Date()): string {
  const date = new Date(iso);
  const passed = now.getTime() - date.getTime();
  const relative = new Intl.RelativeTimeFormat(localeOf(language), {
    numeric: "auto",
    style: "short",
  });
  if (passed < minute) return i18next.t("time.justNow", { lng: language });
  if (passed < hour) return relative.format(-Math.floor(passed / minute), "minute");
  const apart = daysApart(date, now);
  if (apart === 0) return relative.format(-Math.floor(passed / hour), "hour");
  return apart === 1 ? moment(iso, language, now) : calendarDay(iso, language, now);
}

export function count(value: number, language: string): string {
  return new Intl.NumberFormat(localeOf(language)).format(value);
}

/** Seconds with one decimal below a minute and a half, whole ones above. */
export function seconds(value: number, language: string): string {
  return new Intl.NumberFormat(localeOf(language), {
    minimumFractionDigits: value < 90 ? 1 : 0,
    maximumFractionDigits: value < 90 ? 1 : 0,
  }).format(value);
}

export function money(amount: string, currency: string, language: string): string {
  return new Intl.NumberFormat(localeOf(language), {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: 4,
  }).format(Number(amount));
}

/** A list in a sentence, in parts, so that its elements can be drawn: "a, b and c", "a、b和c". */
export function listParts(items: string[], language: string) {
  return new Intl.ListFormat(localeOf(language), { type: "conjunction" }).formatToParts(items);
}

/** The language a text is written in, for line breaking, speech and fonts. */
export function languageOf(text: string): "zh-CN" | "en" {
  return /\p{Script=Han}/u.test(text) ? "zh-CN" : "en";
}

/** The `lang` attribute for a language code as the server names it. */
export function localeTag(language: string): "zh-CN" | "en" {
  return language.startsWith("zh") ? "zh-CN" : "en";
}

/** A list in a sentence: "a, b and c", "a、b和c". */
export function listText(items: string[], language: string): string {
  return new Intl.ListFormat(localeOf(language), { type: "conjunction" }).format(items);
}

/** 0.94 as "94%". */
export function percent(share: number, language: string): string {
  return new Intl.NumberFormat(localeOf(language), {
    style: "percent",
    maximumFractionDigits: 0,
  }).format(share);
}

/** "14:02:11" today, "12 Nov, 09:03" before. */
export function stamp(iso: string, language: string, now = new Date()): string {
  const date = new Date(iso);
  if (daysApart(date, now) !== 0)
    return `${calendarDay(iso, language, now)} ${clock(date, language)}`;
  return new Intl.DateTimeFormat(localeOf(language), {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(date);
}
