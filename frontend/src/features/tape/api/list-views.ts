import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** One's own named views and those opened to one: what each covers, never entries. */
export const viewsQuery = queryOptions({
  queryKey: ["views"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/views", { signal }))).results,
  staleTime: 0,
});
