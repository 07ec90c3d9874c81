/** The topic's title, its status, and the way to finish it; always in reach. */
import { Link, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { TopicDetail } from "@/api/types";
import { Icon } from "@/components/icon";
import { ShareButton } from "@/features/sharing/components/share-button";
import { FinishButton } from "@/features/topics/components/finish-button";
import { RenameButton } from "@/features/topics/components/rename-button";
import { TopicStatus } from "@/features/topics/components/topic-status";
import { titleOf } from "@/features/topics/words/title";
import { spentText } from "@/lib/spent";
import { languageOf } from "@/lib/wording";

function sharedBy(topic: TopicDetail) {
  if (!topic.shared_with_me) return "share.byRole";
  return topic.open ? "share.byEveryone" : "share.byPerson";
}

export function TopicHead({ topic }: { topic: TopicDetail }) {
  const { t, i18n } = useTranslation();
  const title = titleOf(topic, t);
  const { continued } = useSearch({ from: "/shell/topics/$topic" });
  return (
    <>
      <header className="topic-head">
        <h1 className="grow ellipsis" lang={languageOf(title)} dir="auto">
          {title}
        </h1>
        <TopicStatus status={topic.status} />
        <span className="topic-cost only-wide">{spentText(topic.cost, t, i18n.language)}</span>
        <Link
          className="quiet"
          to="/tapes/$tape"
          params={{ tape: String(topic.tape) }}
          search={{ entry: topic.initial_seq }}
          aria-label={t("topic.onTape")}
        >
          <Icon name="tape" />
          <span className="only-wide">{t("topic.tape")}</span>
        </Link>
        {topic.mine && <RenameButton topic={topic} />}
        {topic.mine && (
          <ShareButton subject={{ kind: "topic", id: topic.id }} shared={topic.shared} />
        )}
        <FinishButton topic={topic} />
      </header>
      {!topic.mine && (
        <p className="topic-note small-text muted">
          <Icon name="share" /> {t(sharedBy(topic), { name: topic.owner.display_name })}
        </p>
      )}
      {topic.continues !== null && (
        <p className="topic-note small-text muted">
          {continued && `${t("topic.continuedHere")} `}
          <Link to="/topics/$topic" params={{ topic: String(topic.continues) }}>
            {t("topic.continues")}
          </Link>
        </p>
      )}
    </>
  );
}
