/** Routes and shapes that the generated schema does not carry yet, declared in this one place. */
import { csrfToken } from "./client";
import { errorFrom } from "./errors";

type Sent = {
  query?: Record<string, string | number | undefined>;
  json?: unknown;
  signal?: AbortSignal;
};

function addressOf(path: string, query: Sent["query"]): string {
  const url = new URL(path, window.location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** One request; the body of a successful answer, or the server's refusal as an `ApiError`. */
export async function send<Result>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  { query, json, signal }: Sent = {},
): Promise<Result> {
  const headers: Record<string, string> = {};
  if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
  if (json !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(addressOf(path, query), {
    method,
    headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) throw await errorFrom(response);
  return (response.status === 204 ? undefined : await response.json()) as Result;
}
