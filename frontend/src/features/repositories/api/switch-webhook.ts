import { send } from "@/api/coming";
import type { Webhook } from "@/api/types";

/** A fresh address and secret for pushes; the secret is told this once. */
export function switchWebhookOn(id: number): Promise<Webhook> {
  return send("POST", `/api/repositories/${id}/webhook`);
}

export function switchWebhookOff(id: number): Promise<void> {
  return send("DELETE", `/api/repositories/${id}/webhook`);
}
