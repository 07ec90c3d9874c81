import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { CodePlace } from "@/api/types";

const context = 20;

export type LinePlace = Pick<
  CodePlace,
  "repository" | "commit" | "path" | "start_line" | "end_line"
>;

/** Lines of a file at a commit that is indexed or cited, marked, with some lines around them. */
export function linesQuery({ repository, commit, path, start_line, end_line }: LinePlace) {
  const query = { commit, path, start: start_line, end: end_line, context };
  return queryOptions({
    queryKey: ["lines", repository.id, query],
    queryFn: ({ signal }) =>
      body(
        api.GET("/api/repositories/{repository_id}/lines", {
          params: { path: { repository_id: repository.id }, query },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
}
