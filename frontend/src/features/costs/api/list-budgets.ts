import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** The budgets that hold, and how they stand this month. */
export const budgetsQuery = queryOptions({
  queryKey: ["budgets"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/budgets", { signal }))).results,
});
