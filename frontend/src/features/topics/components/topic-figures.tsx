/** A topic's figures on one line: status, turns, citations, when. */
import { useTranslation } from "react-i18next";
import type { Topic } from "@/api/types";
import { ago } from "@/lib/wording";

export function TopicFigures({ topic }: { topic: Topic }) {
  const { t, i18n } = useTranslation();
  return (
    <small className="dotted">
      <span>{t(`status.${topic.status}`)}</span>
      <span>{t("topic.turns", { count: topic.turn_count })}</span>
      {topic.citation_count > 0 && (
        <span>{t("topic.citations", { count: topic.citation_count })}</span>
      )}
      {topic.fact_count > 0 && <span>{t("topic.facts", { count: topic.fact_count })}</span>}
      <time dateTime={topic.last_activity_at}>{ago(topic.last_activity_at, i18n.language)}</time>
    </small>
  );
}
