import { api, body } from "@/api/client";
import type { FactWithdrawal } from "@/api/types";

/** Takes one's own fact back. */
export function withdrawFact(id: number, said: FactWithdrawal) {
  return body(
    api.POST("/api/facts/{fact_id}/withdraw", { params: { path: { fact_id: id } }, body: said }),
  );
}
