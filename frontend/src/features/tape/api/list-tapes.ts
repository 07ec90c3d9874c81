import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** The newest tapes one may see; one's own among them. */
export const tapesQuery = queryOptions({
  queryKey: ["tapes"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/tapes", { signal }))).results,
});
