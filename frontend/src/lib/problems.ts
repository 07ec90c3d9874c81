/** A refusal in people's words: what the server's codes mean, and which field of a form is meant. */
import i18next, { type TFunction } from "i18next";
import { ApiError } from "@/api/errors";

type Details = { field?: string; reason?: string; fields?: object } & Record<string, unknown>;

function detailsOf(error: unknown): Details {
  return error instanceof ApiError ? ((error.details ?? {}) as Details) : {};
}

function keysOf(error: ApiError): string[] {
  const { reason, problem } = detailsOf(error);
  const finer = reason ?? problem;
  return [...(finer ? [`problems.${error.code}_${finer}`] : []), `problems.${error.code}`];
}

/** A code without words of ours is said as the server says it. */
export function problemText(error: unknown, t: TFunction): string {
  if (!(error instanceof ApiError)) return t("problems.silent");
  const key = keysOf(error).find((each) => i18next.exists(each));
  // The key is one of a closed set that exists; its type is the whole catalogue's.
  return key ? String(t(key as never, detailsOf(error) as never)) : error.message;
}

/** The field the refusal names, or null. */
export function problemField(error: unknown): string | null {
  const { field, fields } = detailsOf(error);
  return field ?? Object.keys(fields ?? {})[0] ?? null;
}
