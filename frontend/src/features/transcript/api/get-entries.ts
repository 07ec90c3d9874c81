import { queryOptions } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import type { Entry } from "@/api/types";
import { merge } from "../fold/merge";

const pageSize = 500;

/** Entries of a topic, and the tape's head they are known up to. */
export type Recorded = { entries: Entry[]; head: number };

function page(topic: number, after: number, signal: AbortSignal) {
  return body(
    api.GET("/api/topics/{topic_id}/entries", {
      params: { path: { topic_id: topic }, query: { after, limit: pageSize } },
      signal,
    }),
  );
}

async function readAll(topic: number, signal: AbortSignal): Promise<Recorded> {
  let read: Recorded = { entries: [], head: 0 };
  for (let full = true; full; ) {
    const { results, head } = await page(topic, read.entries.at(-1)?.seq ?? 0, signal);
    read = { entries: [...read.entries, ...results], head: Math.max(read.head, head) };
    full = results.length === pageSize;
  }
  return read;
}

/** Every entry of a topic; what the stream brought meanwhile is kept. */
export function entriesQuery(topic: number) {
  const queryKey = ["entries", topic];
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<Recorded> => {
      const read = await readAll(topic, signal);
      const known = client.getQueryData<Recorded>(queryKey);
      if (!known) return read;
      return {
        entries: merge(known.entries, read.entries),
        head: Math.max(known.head, read.head),
      };
    },
    // While the page is open the stream brings what is new.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
