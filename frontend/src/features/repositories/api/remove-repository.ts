import { api } from "@/api/client";

/** Takes a repository and its index away. */
export function removeRepository(id: number) {
  return api.DELETE("/api/repositories/{repository_id}", {
    params: { path: { repository_id: id } },
  });
}
