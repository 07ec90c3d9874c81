import { api } from "@/api/client";

/** Forgets a view; nothing it showed is touched. */
export function deleteView(id: number) {
  return api.DELETE("/api/views/{view_id}", { params: { path: { view_id: id } } });
}
