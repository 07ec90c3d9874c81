/** Why a file is left out, in words. */
import i18next, { type TFunction } from "i18next";

function worded(key: string, t: TFunction): string | null {
  // The key exists; its type is the whole catalogue's.
  return i18next.exists(key) ? String(t(key as never)) : null;
}

/** "Vendored"; a reason without words is shown as the index names it. */
export function skipWords(reason: string, t: TFunction): string {
  return worded(`repositories.skip.${reason}`, t) ?? reason;
}

/** What the reason means, in a sentence. */
export function skipHint(reason: string, t: TFunction): string | null {
  return worded(`repositories.skipHint.${reason}`, t);
}
