import { api, body } from "@/api/client";
import type { LinkFollowed } from "@/api/types";

/** Comes by a link: returns the topic or the view it opens. */
export function followLink(token: string): Promise<LinkFollowed> {
  return body(api.POST("/api/links", { body: { token } }));
}
