import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { EntryKind } from "@/api/types";

const shown = 50;

/** Entries of the whole tape with these words, or nearly these. */
export function tapeSearchQuery(tape: number, q: string, kinds: EntryKind[]) {
  const query = { q, limit: shown, ...(kinds.length > 0 ? { kinds: kinds.join(",") } : {}) };
  return queryOptions({
    queryKey: ["tape", tape, "search", q, kinds],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/tapes/{tape_id}/search", {
          params: { path: { tape_id: tape }, query },
          signal,
        }),
      ),
  });
}
