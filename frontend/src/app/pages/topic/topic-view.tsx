/** The topic page once its entries are there: thread on one side, evidence on the other. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Entry, TopicDetail } from "@/api/types";
import { evidenceStatesQuery } from "@/features/evidence/api/get-evidence-states";
import { EvidencePanel } from "@/features/evidence/components/evidence-panel";
import { FactLines } from "@/features/facts/components/fact-lines";
import { ProposeDialog } from "@/features/facts/components/propose-dialog";
import { CorrectDialog } from "@/features/tape/components/correct-dialog";
import { RecalledTopics } from "@/features/topics/components/recalled-topics";
import { writtenQuery } from "@/features/transcript/api/written";
import { TranscriptContext } from "@/features/transcript/components/transcript-context";
import { TranscriptView } from "@/features/transcript/components/transcript-view";
import { chaptersOf } from "@/features/transcript/fold/chapters";
import { citationsOf } from "@/features/transcript/fold/citations";
import { factsByTurn } from "@/features/transcript/fold/facts";
import { fold } from "@/features/transcript/fold/fold";
import { useReviews } from "../../shell/nav-links";
import { useAnswerActs } from "./answer-acts";
import { Dock } from "./dock";
import { useFactNews } from "./fact-news";
import { useOpenEvidence } from "./open-evidence";
import { usePageFollowing } from "./page-following";
import { TopicEnd } from "./topic-end";
import { TopicHead } from "./topic-head";
import { useTopicKeys } from "./topic-keys";

function useStory(topic: TopicDetail, entries: Entry[]) {
  const story = useMemo(() => fold(entries), [entries]);
  const chapters = useMemo(() => chaptersOf(story, topic.turns), [story, topic.turns]);
  const running = chapters.find((chapter) => chapter.phase === "running");
  const { data: written } = useQuery(writtenQuery(running?.story.turn ?? 0));
  const citations = useMemo(
    () => citationsOf(story, running && written ? { [running.story.turn]: written.text } : {}),
    [story, running, written],
  );
  return { chapters, running, written, citations };
}

function useChanged(ids: number[]): ReadonlySet<number> {
  const { data = [] } = useQuery(evidenceStatesQuery(ids));
  return useMemo(
    () => new Set(data.filter((state) => state.changed_since).map((state) => state.id)),
    [data],
  );
}

export function TopicView({ topic, entries }: { topic: TopicDetail; entries: Entry[] }) {
  const { chapters, running, written, citations } = useStory(topic, entries);
  const order = useMemo(() => citations.map((citation) => citation.evidence), [citations]);
  const changed = useChanged(order);
  const evidence = useOpenEvidence();
  const toEnd = usePageFollowing(`${entries.length}/${written?.length ?? 0}/${topic.turns.length}`);
  useTopicKeys({ chapters, citations, order, evidence, running });

  const { open, show, close } = evidence;
  const mayAddWords = useReviews();
  const { t } = useTranslation();
  const { acts, correcting, stopCorrecting, proposed, stopProposing } = useAnswerActs(
    topic,
    entries,
  );
  const facts = useMemo(() => factsByTurn(entries), [entries]);
  useFactNews(entries);
  const transcript = useMemo(
    () => ({ citations, open, changed, mayAddWords, onOpen: show, acts, facts }),
    [citations, open, changed, mayAddWords, show, acts, facts],
  );
  const onAsked = useCallback(() => toEnd(), [toEnd]);
  return (
    <div className="topic">
      <main className="thread">
        <TopicHead topic={topic} />
        <RecalledTopics topic={topic.id} mine={topic.mine} />
        <TranscriptContext value={transcript}>
          <TranscriptView chapters={chapters} mine={topic.mine} />
        </TranscriptContext>
        <TopicEnd topic={topic} />
        <FactLines filter={{ topic: topic.id }} title={t("facts.taught")} />
        <Dock topic={topic} running={running} onAsked={onAsked} />
      </main>
      {correcting !== null && (
        <CorrectDialog tape={topic.tape} seq={correcting} onClose={stopCorrecting} />
      )}
      {proposed && <ProposeDialog proposed={proposed} onClose={stopProposing} />}
      <EvidencePanel evidence={open} order={order} onOpen={show} onClose={close} />
    </div>
  );
}
