import { api, body } from "@/api/client";

/** Comes by a link: returns the topic it opens. */
export async function followLink(token: string): Promise<number> {
  return (await body(api.POST("/api/links", { body: { token } }))).topic;
}
