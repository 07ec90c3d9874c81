import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** The people who have opened most topics and facts to everyone, of what one may read. */
export const openKnowledgeQuery = queryOptions({
  queryKey: ["open-knowledge"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/open-knowledge", { signal }))).results,
  staleTime: 60_000,
});
