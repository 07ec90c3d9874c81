import { api } from "@/api/client";

/** Takes a set and its runs away. */
export function removeEvaluation(id: number) {
  return api.DELETE("/api/evaluations/{evaluation_id}", {
    params: { path: { evaluation_id: id } },
  });
}
