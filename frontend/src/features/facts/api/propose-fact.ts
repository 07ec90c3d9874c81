import { api, body } from "@/api/client";
import type { FactProposal } from "@/api/types";

/** Proposes what an answer says as a fact. */
export function proposeFact(topic: number, proposal: FactProposal) {
  return body(
    api.POST("/api/topics/{topic_id}/facts", {
      params: { path: { topic_id: topic } },
      body: proposal,
    }),
  );
}
