import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** The company's own prices, the newest first. */
export const pricesQuery = queryOptions({
  queryKey: ["prices"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/prices", { signal }))).results,
});
