/** What the address of the costs page says: a period, what it is limited to, and what plots count. */
import type { CostsQuery } from "@/api/types";

export const periods = [7, 30, 90, 365] as const;

export type CostFilter = {
  /** So many days; this month without it. */
  days?: (typeof periods)[number];
  first?: string;
  last?: string;
  person?: number;
  group?: number;
  repository?: number;
  model?: string;
  purpose?: string;
  currency?: string;
  tokens?: 1;
};

export function queryOf({ tokens: _, ...filter }: CostFilter): CostsQuery {
  return filter;
}

/** The address of the same figures as a file. */
export function fileOf(filter: CostFilter): string {
  const set = Object.entries(queryOf(filter)).filter(([, value]) => value !== undefined);
  return `/api/costs/file?${new URLSearchParams(set.map(([key, value]) => [key, String(value)]))}`;
}

const day = /^\d{4}-\d{2}-\d{2}$/;

/** A day of the address, or nothing where it is none. */
export function dayIn(value: unknown): string | undefined {
  return typeof value === "string" && day.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;
}
