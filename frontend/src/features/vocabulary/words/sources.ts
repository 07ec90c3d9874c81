/** Where a pair of words comes from, in words. */
import type { TFunction } from "i18next";
import type { WordCounts, WordSource } from "@/api/types";

/** In the order they are shown: what people wrote for people first. */
export const sources: WordSource[] = ["catalogue", "enum", "label", "comment", "fact", "people"];

export function sourceWords(source: WordSource, t: TFunction): string {
  return t(`vocabulary.source.${source}`);
}

/** "translation catalogues 214", for the sources that have any. */
export function sourceCounts(counts: WordCounts, t: TFunction): string[] {
  return sources
    .filter((source) => counts[source] > 0)
    .map((source) => t(`vocabulary.from.${source}`, { count: counts[source] }));
}

export function total(counts: WordCounts): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}
