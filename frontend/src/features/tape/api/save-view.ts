import { api, body } from "@/api/client";
import type { NewView } from "@/api/types";

/** Keeps a view under a name. */
export function saveView(view: NewView) {
  return body(api.POST("/api/views", { body: view }));
}
