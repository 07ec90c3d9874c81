/** What the list of topics can be narrowed to. */
import type { TopicStatus, TopicWhose } from "@/api/types";

export const whoseChoices: TopicWhose[] = ["mine", "shared", "company"];
export const statusChoices: TopicStatus[] = ["open", "finalized", "aborted"];
export const dayChoices = [1, 7, 30, 90, 365];
/** Amounts in whatever currency a topic has: several are never added up. */
export const costChoices = ["0.01", "0.1", "1", "10", "100"];
export const unpriced = "unknown";

export type ListFilter = {
  whose?: TopicWhose | undefined;
  status?: TopicStatus | undefined;
  repository?: number | undefined;
  days?: number | undefined;
  cost?: string | undefined;
};
