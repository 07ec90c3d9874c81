/** What the owner of a topic may do with its turns: correct an answer, ask from the anchor before it, ask again. */
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Entry, TopicDetail } from "@/api/types";
import type { Proposed } from "@/features/facts/components/propose-dialog";
import { addToDraft } from "@/features/questions/components/use-draft";
import type { TurnActs } from "@/features/transcript/components/transcript-context";
import { proposalFrom } from "./proposing";

/** The question's own window begins at the newest anchor before the answer. */
function anchorBefore(anchors: number[], seq: number): number | undefined {
  return anchors.findLast((each) => each < seq);
}

export function useAnswerActs(topic: TopicDetail, entries: Entry[]) {
  const navigate = useNavigate();
  const [correcting, setCorrecting] = useState<number | null>(null);
  const [proposed, setProposed] = useState<Proposed | null>(null);
  const acts: TurnActs | null = useMemo(() => {
    if (!topic.mine) return null;
    const anchors = entries.filter((each) => each.kind === "anchor").map((each) => each.seq);
    const params = { topic: String(topic.id) };
    const onAskFrom = (seq: number) => {
      const after = anchorBefore(anchors, seq);
      if (after === undefined) return;
      void navigate({ to: "/topics/$topic", params, search: { after }, resetScroll: false });
      document.getElementById("question")?.focus();
    };
    const onAskAgain = (question: string) => {
      addToDraft(`topic-${topic.id}`, question);
      document.getElementById("question")?.focus();
    };
    const onPropose = (seq: number) => setProposed(proposalFrom(topic, entries, seq));
    return {
      onCorrect: setCorrecting,
      onPropose,
      onAskAgain,
      onAskFrom: anchors.length > 0 ? onAskFrom : undefined,
    };
  }, [topic, entries, navigate]);
  return {
    acts,
    correcting,
    stopCorrecting: () => setCorrecting(null),
    proposed,
    stopProposing: () => setProposed(null),
  };
}
