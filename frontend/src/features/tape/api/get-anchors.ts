import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";

/** The anchors and marks of a tape, in their order. */
export function anchorsQuery(tape: number) {
  return queryOptions({
    queryKey: ["tape", tape, "anchors"],
    queryFn: async ({ signal }) => {
      const params = { path: { tape_id: tape } };
      return (await body(api.GET("/api/tapes/{tape_id}/anchors", { params, signal }))).results;
    },
  });
}
