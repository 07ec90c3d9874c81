import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

const shown = 10;

/** Entries with these words, or nearly these, on every tape one may see. */
export function tapesSearchQuery(q: string) {
  return queryOptions({
    queryKey: ["tapes", "search", q],
    queryFn: ({ signal }) =>
      body(api.GET("/api/search", { params: { query: { q, limit: shown } }, signal })),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
}
