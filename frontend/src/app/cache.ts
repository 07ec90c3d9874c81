/** The one place of server state: how often it is asked for again, and what a refusal means. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isSignedOut } from "@/api/errors";
import { sessionQuery } from "@/features/session/api/get-session";

const attempts = 3;

function worthRetrying(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status < 500;
  return !refused && failures < attempts;
}

export function createCache(): QueryClient {
  const onError = (error: Error) => {
    if (isSignedOut(error)) {
      cache.setQueryData(sessionQuery.queryKey, { authenticated: false, user: null });
    }
  };
  const cache = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: worthRetrying, staleTime: 5_000 } },
  });
  return cache;
}
