import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** The person signed in: name, roles, sample questions, repositories they may read. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => body(api.GET("/api/me", { signal })),
  staleTime: 60_000,
});
