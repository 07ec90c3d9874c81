import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** Groups that a repository can be granted to, with how many people each has. */
export const groupsQuery = queryOptions({
  queryKey: ["groups"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/groups", { signal }))).results,
  staleTime: 60_000,
});
