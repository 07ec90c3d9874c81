/** Asking anew for what has changed, also where the first answer is still on its way. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * An answer that was begun before the change does not know of it. Marking alone would let a first
 * answer pass for a fresh one, so what is on its way is given up before it is asked for again.
 */
export async function askAnew(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  await cache.cancelQueries({ queryKey });
  await cache.invalidateQueries({ queryKey });
}
