/** The one shape in which the server says no, as an exception. */

type Body = { error?: { code?: string; message?: string; details?: unknown } };

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: unknown,
    readonly requestNumber: string | null,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

export async function errorFrom(response: Response): Promise<ApiError> {
  const body: Body = await response.json().catch(() => ({}));
  const error = body.error ?? {};
  const number = (error.details as { request?: string } | undefined)?.request;
  return new ApiError(
    response.status,
    error.code ?? `http_${response.status}`,
    error.message ?? response.statusText,
    error.details ?? null,
    number ?? response.headers.get("x-request-id"),
  );
}

export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
