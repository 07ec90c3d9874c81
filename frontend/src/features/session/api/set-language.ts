import { api, body } from "@/api/client";

/** Remembers the person's language with their account. */
export function setLanguage(language: "zh" | "en") {
  return body(api.PATCH("/api/me", { body: { language } }));
}
