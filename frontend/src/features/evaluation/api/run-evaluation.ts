import { api } from "@/api/client";

/** Asks every question of a set now. */
export function runEvaluation(id: number) {
  return api.POST("/api/evaluations/{evaluation_id}/run", {
    params: { path: { evaluation_id: id } },
  });
}
