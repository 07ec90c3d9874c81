/** How facts stand, in the order that filters show them. */
import type { FactState } from "@/api/types";

export const states: FactState[] = [
  "review",
  "proposed",
  "stale",
  "accepted",
  "rejected",
  "withdrawn",
];
