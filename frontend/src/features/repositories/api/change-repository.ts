import { api, body } from "@/api/client";
import type { RepositoryChange } from "@/api/types";

/** Changes what was told about a repository; what is not named stays. */
export function changeRepository(id: number, change: RepositoryChange) {
  return body(
    api.PATCH("/api/repositories/{repository_id}", {
      params: { path: { repository_id: id } },
      body: change,
    }),
  );
}
