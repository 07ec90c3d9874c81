import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** A person, their accepted facts and the topics they opened to all. */
export function contributorQuery(id: number) {
  return queryOptions({
    queryKey: ["facts", "person", id],
    queryFn: ({ signal }) =>
      body(api.GET("/api/people/{person_id}", { params: { path: { person_id: id } }, signal })),
  });
}
