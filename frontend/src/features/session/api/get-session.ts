import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** Who is signed in; asking also sets the CSRF cookie. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => body(api.GET("/api/session", { signal })),
  staleTime: 60_000,
});
