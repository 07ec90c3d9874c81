import { api, body } from "@/api/client";
import type { FactReason } from "@/api/types";

/** Lets it be no fact, with the reason for its contributor. */
export function rejectFact(id: number, said: FactReason) {
  return body(
    api.POST("/api/facts/{fact_id}/reject", { params: { path: { fact_id: id } }, body: said }),
  );
}
