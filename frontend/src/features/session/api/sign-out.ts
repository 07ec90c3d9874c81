import { csrfToken } from "@/api/client";

/** Ends the session; allauth answers 401, since no one is signed in any more. */
export async function signOut(): Promise<void> {
  await fetch("/_allauth/browser/v1/auth/session", {
    method: "DELETE",
    headers: { "X-CSRFToken": csrfToken() },
  });
}
