/** The typed HTTP client: same origin, session cookie, CSRF header, one kind of exception. */
import createClient, { type Middleware } from "openapi-fetch";
import { errorFrom } from "./errors";
import type { paths } from "./generated/schema";

export function csrfToken(): string {
  return /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}

const sendsCsrf: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") request.headers.set("X-CSRFToken", csrfToken());
    return request;
  },
};

const raisesErrors: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await errorFrom(response);
  },
};

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  fetch: (request) => fetch(request),
});
api.use(sendsCsrf, raisesErrors);

/** The body of a successful response; failures were thrown by the client already. */
export async function body<T>(answer: Promise<{ data?: T }>): Promise<T> {
  const { data } = await answer;
  if (data === undefined) throw new Error("The server answered without a body.");
  return data;
}
