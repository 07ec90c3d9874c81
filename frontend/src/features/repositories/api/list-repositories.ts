import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { Repository } from "@/api/types";

const working = 2_000;
const resting = 60_000;

function isWorking({ status, run }: Repository): boolean {
  return status === "indexing" || run?.status === "waiting" || run?.status === "running";
}

/** Repositories one may read, or looks after, with how fresh each is. */
export const repositoriesQuery = queryOptions({
  queryKey: ["repositories"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/repositories", { signal }))).results,
  refetchInterval: (query) => (query.state.data?.some(isWorking) ? working : resting),
});

/** Repositories whose code one may read: those a question can be asked of. */
export const readableQuery = queryOptions({
  ...repositoriesQuery,
  select: (all: Repository[]) => all.filter((each) => each.readable),
});
