import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

const glance = 2_000;

/** The company's sets of questions with known places, each with its newest run. */
export const evaluationsQuery = queryOptions({
  queryKey: ["evaluations"],
  queryFn: async ({ signal }) => (await body(api.GET("/api/evaluations", { signal }))).results,
  refetchInterval: (query) => (query.state.data?.some((set) => set.running) ? glance : false),
});
