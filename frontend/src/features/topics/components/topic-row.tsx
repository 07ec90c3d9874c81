/** One topic in the list: title, one-line answer, and its figures. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Topic } from "@/api/types";
import { Icon } from "@/components/icon";
import { ago, languageOf } from "@/lib/wording";
import { TopicStatus } from "./topic-status";

function useAnswerLine(topic: Topic): string {
  const { t } = useTranslation();
  if (topic.answer?.withheld) return t("topics.answerWithheld");
  if (topic.answer?.text) return topic.answer.text;
  return topic.busy ? t("topics.answering") : t("topics.noAnswer");
}

export function TopicRow({ topic }: { topic: Topic }) {
  const { t, i18n } = useTranslation();
  const answer = useAnswerLine(topic);
  return (
    <li className="topic-row">
      <div>
        <h2 lang={languageOf(topic.title)} dir="auto">
          <Link to="/topics/$topic" params={{ topic: String(topic.id) }} data-row>
            {topic.title}
          </Link>
        </h2>
        <p lang={languageOf(answer)} dir="auto">
          {answer}
        </p>
        <div className="topic-meta">
          <TopicStatus status={topic.status} />
          <span>{topic.owner.display_name}</span>
          <span>{t("topic.turns", { count: topic.turn_count })}</span>
          {topic.citation_count > 0 && (
            <span>{t("topic.citations", { count: topic.citation_count })}</span>
          )}
          <Link
            className="to-tape"
            to="/tapes/$tape"
            params={{ tape: String(topic.tape) }}
            search={{ entry: topic.initial_seq }}
            aria-label={t("topic.onTape")}
          >
            <Icon name="tape" />
            {t("topic.tape")}
          </Link>
        </div>
      </div>
      <time dateTime={topic.last_activity_at}>{ago(topic.last_activity_at, i18n.language)}</time>
    </li>
  );
}
