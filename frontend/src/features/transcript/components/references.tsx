/** What a question named and what of it was open to its asker; the rest is named as withheld. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { languageOf } from "@/lib/wording";
import type { Reference } from "../fold/references";

function TopicLink({ topic, title }: { topic: number; title: string }) {
  const { t } = useTranslation();
  return (
    <Link to="/topics/$topic" params={{ topic: String(topic) }} lang={languageOf(title)} dir="auto">
      {title || t("references.topic", { topic })}
    </Link>
  );
}

function Found({ reference }: { reference: Reference }) {
  const { t } = useTranslation();
  if (reference.several) return <span>{t("references.several")}</span>;
  if (!reference.shown) {
    return (
      <span>{t(reference.kind === "topic" ? "references.notOpen" : "references.nothingFits")}</span>
    );
  }
  return (
    <>
      {reference.topic !== null && <TopicLink topic={reference.topic} title={reference.title} />}
      {reference.topics.map((one) => (
        <TopicLink key={one.topic} {...one} />
      ))}
      {reference.facts.map((one) => (
        <Link
          key={one.fact}
          to="/facts/$fact"
          params={{ fact: String(one.fact) }}
          lang={languageOf(one.text)}
          dir="auto"
        >
          {t("references.fact", { text: one.text })}
        </Link>
      ))}
      {reference.views.map((view) => (
        <Link key={view} to="/views/$view" params={{ view: String(view) }}>
          {t("references.view", { view })}
        </Link>
      ))}
      {reference.withheld > 0 && (
        <span>{t("references.withheld", { count: reference.withheld })}</span>
      )}
    </>
  );
}

export function References({ references }: { references: Reference[] }) {
  const { t } = useTranslation();
  if (references.length === 0) return null;
  return (
    <ul className="references small-text" aria-label={t("references.title")}>
      {references.map((reference) => (
        <li key={reference.written} className="row">
          <Icon name={reference.shown ? "link" : "lock"} />
          <b dir="auto">{reference.written}</b>
          <span className="dotted muted">
            <Found reference={reference} />
          </span>
        </li>
      ))}
    </ul>
  );
}
