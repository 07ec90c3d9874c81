import { api, body } from "@/api/client";
import type { FactVersioned } from "@/api/types";

/** Lets a fact take part in answering. */
export function acceptFact(id: number, said: FactVersioned) {
  return body(
    api.POST("/api/facts/{fact_id}/accept", { params: { path: { fact_id: id } }, body: said }),
  );
}
