import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** What people have open, those longest without activity first; for administrators. */
export const openTopicsQuery = infiniteQueryOptions({
  queryKey: ["open-topics"],
  queryFn: ({ signal, pageParam }) =>
    body(
      api.GET("/api/open-topics", {
        params: { query: pageParam ? { cursor: pageParam } : {} },
        signal,
      }),
    ),
  initialPageParam: "",
  getNextPageParam: (page) => page.next,
});

/** Finishes anybody's topic; with a turn running, as soon as that turn ends. */
export function finalizeOpenTopic(id: number) {
  return body(
    api.POST("/api/open-topics/{topic_id}/finalize", { params: { path: { topic_id: id } } }),
  );
}
