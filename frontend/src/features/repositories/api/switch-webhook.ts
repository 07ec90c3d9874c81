import { api, body } from "@/api/client";

/** A fresh address and secret for pushes; the secret is told this once. */
export function switchWebhookOn(id: number) {
  return body(
    api.POST("/api/repositories/{repository_id}/webhook", {
      params: { path: { repository_id: id } },
    }),
  );
}

export function switchWebhookOff(id: number) {
  return api.DELETE("/api/repositories/{repository_id}/webhook", {
    params: { path: { repository_id: id } },
  });
}
