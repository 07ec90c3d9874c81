import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { Term } from "@/api/types";

/** The places in code that tie a word to a code word. */
export function whyQuery({ word, code, repository }: Pick<Term, "word" | "code" | "repository">) {
  const query = { word, code, ...(repository ? { repository: repository.id } : {}) };
  return queryOptions({
    queryKey: ["vocabulary-why", query],
    queryFn: async ({ signal }) =>
      (await body(api.GET("/api/vocabulary/why", { params: { query }, signal }))).examples,
    staleTime: 60_000,
  });
}
