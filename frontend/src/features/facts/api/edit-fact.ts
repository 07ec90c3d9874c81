import { api, body } from "@/api/client";
import type { FactEdit } from "@/api/types";

/** Writes a new version of a fact. */
export function editFact(id: number, said: FactEdit) {
  return body(
    api.POST("/api/facts/{fact_id}/edit", { params: { path: { fact_id: id } }, body: said }),
  );
}
