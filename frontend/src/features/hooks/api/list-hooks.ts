import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** Every hook in the order it runs, with how it did lately; for administrators. */
export const hooksQuery = queryOptions({
  queryKey: ["hooks"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/hooks", { signal }))).results,
});
