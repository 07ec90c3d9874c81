/** A topic somebody has open, by its figures; its title only for who may read it. */
import { useTranslation } from "react-i18next";
import type { OpenTopic } from "@/api/types";
import { ago, languageOf } from "@/lib/wording";

type Props = { topic: OpenTopic; busy: boolean; onFinish: () => void };

export function OpenTopicRow({ topic, busy, onFinish }: Props) {
  const { t, i18n } = useTranslation();
  const name = topic.title ?? t("openTopics.untold", { number: topic.id });
  return (
    <li className="hook-row" data-row tabIndex={-1}>
      <span className="hook-order">{topic.id}</span>
      <div>
        <p lang={topic.title ? languageOf(topic.title) : undefined} dir="auto">
          {name}
        </p>
        <p className="small muted dotted">
          <span>{topic.owner.display_name}</span>
          <span>{t("topic.turns", { count: topic.turn_count })}</span>
          <time dateTime={topic.last_activity_at}>
            {t("openTopics.since", { when: ago(topic.last_activity_at, i18n.language) })}
          </time>
          {topic.busy && <span>{t("topics.answering")}</span>}
        </p>
      </div>
      {topic.finalize_requested ? (
        <span className="tag">{t("topic.finishing")}</span>
      ) : (
        <button
          type="button"
          className="button small-button"
          disabled={busy}
          aria-label={t("openTopics.finish", { name })}
          onClick={onFinish}
        >
          {t("topic.finish")}
        </button>
      )}
    </li>
  );
}
