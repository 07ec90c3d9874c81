import { csrfToken } from "@/api/client";

export type SignInOutcome = "signed_in" | "wrong" | "too_many" | "failed";

const outcomes: Record<number, SignInOutcome> = {
  200: "signed_in",
  400: "wrong",
  401: "wrong",
  409: "signed_in",
  429: "too_many",
};

/** Signs in by name and password (allauth, headless). */
export async function signIn(username: string, password: string): Promise<SignInOutcome> {
  const response = await fetch("/_allauth/browser/v1/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
    body: JSON.stringify({ username, password }),
  });
  return outcomes[response.status] ?? "failed";
}
