import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** Other people whose names begin so or contain it. */
export function peopleQuery(q: string) {
  return queryOptions({
    queryKey: ["people", q],
    queryFn: async ({ signal }) =>
      (await body(api.GET("/api/people", { params: { query: { q } }, signal }))).results,
    placeholderData: keepPreviousData,
  });
}

/** The groups one may open a topic to. */
export const ownGroupsQuery = queryOptions({
  queryKey: ["own-groups"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/people/groups", { signal }))).results,
});
