import { api, body } from "@/api/client";

/** Lets an experiment that has not ended be an ordinary turn. */
export function keepTurn(id: number) {
  return body(api.POST("/api/turns/{turn_id}/keep", { params: { path: { turn_id: id } } }));
}
