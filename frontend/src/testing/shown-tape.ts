/** A tape as the server tells of it, with what a test says of it. */
import type { TapeDetail, TapeTopic } from "@/api/types";

export function aTopic(said: Partial<TapeTopic>): TapeTopic {
  return {
    id: 7,
    title: "Refund retries",
    status: "finalized",
    reason: "owner",
    initial_seq: 2,
    finalized_seq: 58,
    turn_count: 4,
    cost: null,
    segments: [],
    ...said,
  };
}

export function aTape(said: Partial<TapeDetail>): TapeDetail {
  return {
    id: 1,
    name: "person/2/1",
    head: 112,
    created_at: "2026-11-12T09:03:00Z",
    archived_at: null,
    owner: { id: 2, display_name: "林悦" },
    mine: true,
    topic_count: 1,
    verified: null,
    busy: false,
    topics: [],
    counts: {},
    counted_from: 1,
    cost: null,
    forks: [],
    fork_count: 0,
    ...said,
  };
}
