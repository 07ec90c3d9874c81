import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

export type Place = { topic?: number; tape?: number };

/** What asking here would do: start, follow up, continue, or wait; and what it would close. */
export function previewQuery(place: Place, keepOpen: boolean) {
  return queryOptions({
    queryKey: ["preview", place.topic ?? null, place.tape ?? null, keepOpen],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/questions/preview", {
          params: { query: { ...place, ...(keepOpen ? { keep_open: true } : {}) } },
          signal,
        }),
      ),
  });
}
