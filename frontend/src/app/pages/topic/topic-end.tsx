/** How and when a topic ended. */
import { useTranslation } from "react-i18next";
import type { TopicDetail } from "@/api/types";
import { moment } from "@/lib/wording";

const reasons = ["owner", "superseded", "idle", "reset", "administrator"] as const;

export function TopicEnd({ topic }: { topic: TopicDetail }) {
  const { t, i18n } = useTranslation();
  if (topic.status === "open") return null;
  const reason = reasons.find((each) => each === topic.reason);
  return (
    <p className="topic-end small-text muted dotted">
      <span>{reason ? t(`topic.finishedBy.${reason}`) : t(`status.${topic.status}`)}</span>
      {topic.finalized_at && (
        <time dateTime={topic.finalized_at}>{moment(topic.finalized_at, i18n.language)}</time>
      )}
    </p>
  );
}
