/** Whose word a fact is: who contributed it and how, who decided and when, and from which topic. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Fact } from "@/api/types";
import { ago } from "@/lib/wording";

const decided = ["accepted", "rejected", "withdrawn"] as const;

function Decision({ fact }: { fact: Fact }) {
  const { t, i18n } = useTranslation();
  const how = decided.find((each) => each === fact.status);
  if (!how || !fact.decided_at) return null;
  const name = fact.decided_by?.display_name ?? t("facts.operator");
  return (
    <span>{t(`facts.decided.${how}`, { name, when: ago(fact.decided_at, i18n.language) })}</span>
  );
}

/** `on`: the topic whose page it stands on, which needs no link to itself. */
export function FactOrigin({ fact, on }: { fact: Fact; on?: number | undefined }) {
  const { t } = useTranslation();
  return (
    <p className="small muted dotted">
      <Link to="/people/$person" params={{ person: String(fact.contributor.id) }} dir="auto">
        {fact.contributor.display_name}
      </Link>
      <span>{t(`facts.origin.${fact.origin}`)}</span>
      <Decision fact={fact} />
      {fact.topic && fact.topic.id !== on && (
        <Link to="/topics/$topic" params={{ topic: String(fact.topic.id) }} dir="auto">
          {fact.topic.title || t("facts.topic", { id: fact.topic.id })}
        </Link>
      )}
      {fact.topic_count > 1 && <span>{t("facts.topics", { count: fact.topic_count })}</span>}
      {fact.use_count > 0 && <span>{t("facts.uses", { count: fact.use_count })}</span>}
    </p>
  );
}
