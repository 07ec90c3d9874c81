import { api } from "@/api/client";

/** Lets a budget hold no longer. */
export function endBudget(id: number) {
  return api.DELETE("/api/budgets/{budget_id}", { params: { path: { budget_id: id } } });
}
