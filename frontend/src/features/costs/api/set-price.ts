import { api, body } from "@/api/client";
import type { NewPrice } from "@/api/types";

/** Sets a price from a date on. */
export function setPrice(price: NewPrice) {
  return body(api.POST("/api/prices", { body: price }));
}
