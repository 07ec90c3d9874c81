import { api, body } from "@/api/client";
import type { EvaluationBody } from "@/api/types";

/** Keeps a set, questions as JSON lines; without an id it is a new one. */
export function saveEvaluation(id: number | null, written: EvaluationBody) {
  if (id === null) return body(api.POST("/api/evaluations", { body: written }));
  const params = { path: { evaluation_id: id } };
  return body(api.PUT("/api/evaluations/{evaluation_id}", { params, body: written }));
}
