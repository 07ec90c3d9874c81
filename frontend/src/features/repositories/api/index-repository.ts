import { api } from "@/api/client";

/** Queues a fetch and an indexing. */
export function indexRepository(id: number) {
  return api.POST("/api/repositories/{repository_id}/index", {
    params: { path: { repository_id: id } },
  });
}
