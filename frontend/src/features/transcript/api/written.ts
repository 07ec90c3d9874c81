import { queryOptions, skipToken } from "@tanstack/react-query";
import type { Written } from "../fold/live-text";

export const writtenKey = (turn: number) => ["written", turn] as const;

/** Text of a running turn as it is written; only the stream fills it. */
export function writtenQuery(turn: number) {
  return queryOptions<Written>({
    queryKey: writtenKey(turn),
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
