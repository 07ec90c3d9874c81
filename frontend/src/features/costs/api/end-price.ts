import { api, body } from "@/api/client";

/** Lets a price hold no longer; calls made under it keep it. */
export function endPrice(id: number) {
  return body(api.DELETE("/api/prices/{price_id}", { params: { path: { price_id: id } } }));
}
