import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** The earlier topics that were recalled for one; asked anew with the topic. */
export function recalledQuery(topic: number) {
  return queryOptions({
    queryKey: ["topic", topic, "recalled"],
    queryFn: async ({ signal }) => {
      const params = { path: { topic_id: topic } };
      const found = await body(api.GET("/api/topics/{topic_id}/recalled", { params, signal }));
      return found.results;
    },
  });
}

/** Leaves a recalled topic out of what the model is shown, or shows it again. */
export async function changeRecalled(topic: number, recalled: number, dismiss: boolean) {
  const params = { path: { topic_id: topic, recalled_id: recalled } };
  const answered = dismiss
    ? api.POST("/api/topics/{topic_id}/recalled/{recalled_id}/dismiss", { params })
    : api.POST("/api/topics/{topic_id}/recalled/{recalled_id}/restore", { params });
  return (await body(answered)).results;
}
