/** A topic: its turns, the composer with what is running now above it, and the evidence beside it. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { isMissing } from "@/api/errors";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { topicQuery } from "@/features/topics/api/get-topic";
import { titleOf } from "@/features/topics/words/title";
import { entriesQuery } from "@/features/transcript/api/get-entries";
import { usePageTitle } from "@/lib/page-title";
import { useFollowedTape } from "../live/live-context";
import { TopicView } from "./topic/topic-view";

function NoTopic() {
  const { t } = useTranslation();
  return (
    <main className="page lone">
      <StatePanel
        heading="h1"
        icon="lock"
        title={t("states.noTopic")}
        text={t("states.noTopicHint")}
      >
        <Link className="button primary" to="/topics">
          {t("states.toTopics")}
        </Link>
      </StatePanel>
    </main>
  );
}

export function TopicPage() {
  const { t } = useTranslation();
  const { topic: param } = useParams({ from: "/shell/topics/$topic" });
  const id = Number(param);
  const topic = useQuery(topicQuery(id));
  const recorded = useQuery(entriesQuery(id));
  useFollowedTape(topic.data?.tape, recorded.data?.head);
  usePageTitle(topic.data ? titleOf(topic.data, t) : t("topics.title"));

  const error = topic.error ?? recorded.error;
  // Also when it was there a moment ago: what was closed to others is gone at once.
  if (isMissing(error) || Number.isNaN(id)) return <NoTopic />;
  if (topic.data && recorded.data) {
    return <TopicView key={id} topic={topic.data} entries={recorded.data.entries} />;
  }
  if (error) {
    const retry = () => Promise.all([topic.refetch(), recorded.refetch()]);
    return (
      <main className="page lone">
        <Failure heading="h1" title={t("states.topic")} error={error} onRetry={retry} />
      </main>
    );
  }
  return (
    <main className="page lone">
      <Skeleton text={t("states.loadingTopic")} />
    </main>
  );
}
