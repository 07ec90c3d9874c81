import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** Repositories one may read, with how fresh each is. */
export const repositoriesQuery = queryOptions({
  queryKey: ["repositories"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/repositories", { signal }))).results,
  refetchInterval: (query) =>
    query.state.data?.some((repository) => repository.status === "indexing") ? 2_000 : 60_000,
});
