import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { CostsQuery } from "@/api/types";

/** What calls cost in a period, by everything they can be told apart by. */
export function costsQuery(query: CostsQuery) {
  return queryOptions({
    queryKey: ["costs", query],
    queryFn: ({ signal }) => body(api.GET("/api/costs", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}
