/** The one place of server state: how often it is asked for again, and what a refusal means. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isRefused } from "@/api/errors";
import { sessionQuery } from "@/features/session/api/get-session";

const attempts = 3;

function worthRetrying(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status < 500;
  return !refused && failures < attempts;
}

export function createCache(): QueryClient {
  const onError = (error: Error) => {
    // Whoever is refused may have been signed out meanwhile: look, and fetch a CSRF cookie anew.
    if (isRefused(error)) void cache.invalidateQueries(sessionQuery);
  };
  const cache = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: worthRetrying, staleTime: 5_000 } },
  });
  return cache;
}
