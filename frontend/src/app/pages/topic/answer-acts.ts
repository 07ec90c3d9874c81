/** What the owner of a topic may do with its answers: correct one, or ask from the anchor before it. */
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Entry, TopicDetail } from "@/api/types";
import type { AnswerActs } from "@/features/transcript/components/transcript-context";

/** The question's own window begins at the newest anchor before the answer. */
function anchorBefore(anchors: number[], seq: number): number | undefined {
  return anchors.findLast((each) => each < seq);
}

export function useAnswerActs(topic: TopicDetail, entries: Entry[]) {
  const navigate = useNavigate();
  const [correcting, setCorrecting] = useState<number | null>(null);
  const acts: AnswerActs | null = useMemo(() => {
    if (!topic.mine) return null;
    const anchors = entries.filter((each) => each.kind === "anchor").map((each) => each.seq);
    const params = { topic: String(topic.id) };
    const onAskFrom = (seq: number) => {
      const after = anchorBefore(anchors, seq);
      if (after === undefined) return;
      void navigate({ to: "/topics/$topic", params, search: { after }, resetScroll: false });
      document.getElementById("question")?.focus();
    };
    return { onCorrect: setCorrecting, onAskFrom: anchors.length > 0 ? onAskFrom : undefined };
  }, [topic.mine, topic.id, entries, navigate]);
  return { acts, correcting, stopCorrecting: () => setCorrecting(null) };
}
