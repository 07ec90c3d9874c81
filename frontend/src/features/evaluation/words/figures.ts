/** Figures of evaluation as people read them. */
import { localeOf } from "@/lib/i18n";

/** 0.8125 as "0.81". */
export function fixed(value: number, language: string): string {
  return new Intl.NumberFormat(localeOf(language), {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(value);
}
