import { api, body } from "@/api/client";

/** Prices past calls of a model whose price was unknown, by the prices that held then. */
export function pricePastCalls(model: string) {
  return body(api.POST("/api/costs/reprice", { body: { model } }));
}
