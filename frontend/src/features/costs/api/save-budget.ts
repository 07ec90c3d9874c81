import { api, body } from "@/api/client";
import type { NewBudget } from "@/api/types";

/** Sets a budget; with an id only its limit and the share to warn at can change. */
export function saveBudget(id: number | null, { limit, warn_at, ...whose }: NewBudget) {
  if (id === null) return body(api.POST("/api/budgets", { body: { ...whose, limit, warn_at } }));
  const params = { path: { budget_id: id } };
  return body(api.PATCH("/api/budgets/{budget_id}", { params, body: { limit, warn_at } }));
}
