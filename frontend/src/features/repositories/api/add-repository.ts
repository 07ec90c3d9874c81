import { api, body } from "@/api/client";
import type { NewRepository } from "@/api/types";

/** Adds a repository; its first indexing is queued at once. */
export function addRepository(told: NewRepository) {
  return body(api.POST("/api/repositories", { body: told }));
}
