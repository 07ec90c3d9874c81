/** The kinds the list can be narrowed to, as people think of them. */
import type { EntryKind } from "@/api/types";

export const kindGroups = ["message", "tools", "anchor", "error"] as const;

export type KindGroup = (typeof kindGroups)[number];

const kinds: Record<KindGroup, EntryKind[]> = {
  message: ["message", "system"],
  tools: ["tool_call", "tool_result"],
  anchor: ["anchor"],
  error: ["error"],
};

const every: EntryKind[] = [];

export function kindsOf(group: KindGroup | undefined): EntryKind[] {
  return group ? kinds[group] : every;
}
