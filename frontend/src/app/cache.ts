/** The one place of server state: how often it is asked for again, and what a refusal means. */
import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isMissing, isRefused } from "@/api/errors";
import { sessionQuery } from "@/features/session/api/get-session";

const attempts = 3;

function worthRetrying(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status < 500;
  return !refused && failures < attempts;
}

/** What is not there for its reader any more is not shown any longer either, on whatever page it stood. */
function forget(error: Error, query: Query<unknown, unknown, unknown>): void {
  const closed = isMissing(error) || (error instanceof ApiError && error.status === 403);
  if (closed) query.setState({ data: undefined });
}

export function createCache(): QueryClient {
  const onError = (error: Error) => {
    // Whoever is refused may have been signed out meanwhile: look, and fetch a CSRF cookie anew.
    if (isRefused(error)) void cache.invalidateQueries(sessionQuery);
  };
  const cache = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        forget(error, query);
        onError(error);
      },
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: worthRetrying, staleTime: 5_000 } },
  });
  return cache;
}
