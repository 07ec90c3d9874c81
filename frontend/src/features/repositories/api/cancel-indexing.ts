import { api } from "@/api/client";

/** Ends the indexing that waits or runs; what was indexed before stays. */
export function cancelIndexing(id: number) {
  return api.POST("/api/repositories/{repository_id}/cancel", {
    params: { path: { repository_id: id } },
  });
}
