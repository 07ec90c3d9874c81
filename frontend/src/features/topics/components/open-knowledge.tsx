/** People and their open knowledge, beside the list of topics. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { languageOf } from "@/lib/wording";
import { openKnowledgeQuery } from "../api/open-knowledge";

/** One Chinese character, or the first letters of two names. */
function initials(name: string): string {
  if (languageOf(name) === "zh-CN") return name.slice(0, 1);
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join("");
}

export function OpenKnowledge() {
  const { t } = useTranslation();
  const { data: people = [] } = useQuery(openKnowledgeQuery);
  if (people.length === 0) return null;
  const example = people[0]?.person.display_name ?? "";
  return (
    <section className="open-knowledge">
      <h2 className="section-title">{t("topics.openKnowledge")}</h2>
      <ul>
        {people.map(({ person, topic_count, fact_count }) => (
          <li key={person.id}>
            <span className="face" aria-hidden="true">
              {initials(person.display_name)}
            </span>
            <div>
              <Link to="/people/$person" params={{ person: String(person.id) }}>
                {person.display_name}
              </Link>
              <small className="dotted">
                <span>{t("topics.openTopics", { count: topic_count })}</span>
                <span>{t("topics.openFacts", { count: fact_count })}</span>
              </small>
            </div>
          </li>
        ))}
      </ul>
      <p className="small muted">{t("topics.nameThem", { name: example })}</p>
    </section>
  );
}
