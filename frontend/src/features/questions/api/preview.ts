import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** The anchor a question's window starts after, and what people call it. */
export type After = { seq: number; name: string };

export type Place = { topic?: number; tape?: number; after?: After };

/** What asking here would do: start, follow up, continue, or wait; and what it would close. */
export function previewQuery({ topic, tape }: Place, keepOpen: boolean) {
  const place = { ...(topic ? { topic } : {}), ...(tape ? { tape } : {}) };
  return queryOptions({
    queryKey: ["preview", topic ?? null, tape ?? null, keepOpen],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/questions/preview", {
          params: { query: { ...place, ...(keepOpen ? { keep_open: true } : {}) } },
          signal,
        }),
      ),
  });
}
