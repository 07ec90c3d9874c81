import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** The parts a topic fell into where the model's memory was full; a closed part's cost changes no more. */
export function segmentsQuery(topic: number) {
  return queryOptions({
    queryKey: ["topics", topic, "segments"],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/topics/{topic_id}/segments", {
          params: { path: { topic_id: topic } },
          signal,
        }),
      ),
  });
}
