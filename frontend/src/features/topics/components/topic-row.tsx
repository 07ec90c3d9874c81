/** One topic in the list: title, one-line answer, its figures, and what one can do with it. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Topic } from "@/api/types";
import { Icon } from "@/components/icon";
import { spentText } from "@/lib/spent";
import { ago, languageOf } from "@/lib/wording";
import { titleOf } from "../words/title";
import { PinButton } from "./pin-button";
import { RenameButton } from "./rename-button";
import { TopicStatus } from "./topic-status";

function useAnswerLine(topic: Topic): string {
  const { t } = useTranslation();
  if (topic.answer?.withheld) return t("topics.answerWithheld");
  if (topic.answer?.text) return topic.answer.text;
  return topic.busy ? t("topics.answering") : t("topics.noAnswer");
}

/** Who else may read it: everyone, one as a reader, or those its owner named. */
function Shared({ topic }: { topic: Topic }) {
  const { t } = useTranslation();
  if (!topic.shared && !topic.shared_with_me) return null;
  const forMe = topic.shared_with_me ? t("topics.shared") : t("share.shared");
  return (
    <span className="shared-with">
      <Icon name="share" />
      {topic.open ? t("share.everyone") : forMe}
    </span>
  );
}

function Meta({ topic }: { topic: Topic }) {
  const { t } = useTranslation();
  return (
    <div className="topic-meta">
      <TopicStatus status={topic.status} />
      <span>{topic.owner.display_name}</span>
      {topic.repositories.length > 0 && (
        <span>{topic.repositories.map(({ name }) => name).join(t("topics.comma"))}</span>
      )}
      <span>{t("topic.turns", { count: topic.turn_count })}</span>
      {topic.citation_count > 0 && (
        <span>{t("topic.citations", { count: topic.citation_count })}</span>
      )}
      {topic.fact_count > 0 && <span>{t("topic.facts", { count: topic.fact_count })}</span>}
      <Shared topic={topic} />
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
  );
}

type Props = { topic: Topic; selected?: boolean; onSelect?: (selected: boolean) => void };

export function TopicRow({ topic, selected = false, onSelect }: Props) {
  const { t, i18n } = useTranslation();
  const answer = useAnswerLine(topic);
  const cost = spentText(topic.cost, t, i18n.language);
  const title = titleOf(topic, t);
  return (
    <li className={selected ? "topic-row selected" : "topic-row"}>
      {onSelect && (
        <input
          type="checkbox"
          checked={selected}
          aria-label={t("topics.select", { title })}
          onChange={(event) => onSelect(event.target.checked)}
        />
      )}
      <div>
        <h2 lang={languageOf(title)} dir="auto">
          <Link to="/topics/$topic" params={{ topic: String(topic.id) }} data-row>
            {title}
          </Link>
        </h2>
        <p lang={languageOf(answer)} dir="auto">
          {answer}
        </p>
        <Meta topic={topic} />
      </div>
      <div className="row-end">
        <time dateTime={topic.last_activity_at}>{ago(topic.last_activity_at, i18n.language)}</time>
        {cost && <span>{cost}</span>}
        <div className="topic-acts">
          {topic.mine && <RenameButton topic={topic} />}
          <PinButton topic={topic} />
        </div>
      </div>
    </li>
  );
}
