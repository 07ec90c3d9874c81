/** The most expensive topics; one that may not be read shows its number alone. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { CostTopic } from "@/api/types";
import { Icon } from "@/components/icon";
import { count } from "@/lib/wording";
import { type Measure, said } from "../words/figures";

function Name({ topic, title }: { topic: number; title: string | null }) {
  const { t } = useTranslation();
  if (title === null) {
    return (
      <span className="row mono">
        <Icon name="lock" />
        {t("costs.topicNumber", { number: topic })}
      </span>
    );
  }
  return (
    <Link to="/topics/$topic" params={{ topic: String(topic) }} dir="auto">
      {title}
    </Link>
  );
}

export function TopicsCard({ topics, measure }: { topics: CostTopic[]; measure: Measure }) {
  const { t, i18n } = useTranslation();
  return (
    <section className="card cost-card" aria-labelledby="costs-topics">
      <h2 id="costs-topics">{t("costs.dearTopics")}</h2>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{t("costs.topic")}</th>
            <th className="end">{t("costs.turns")}</th>
            <th className="end">{measure.tokens ? t("costs.tokens") : t("costs.spent")}</th>
          </tr>
        </thead>
        <tbody>
          {topics.map((each) => (
            <tr key={each.topic}>
              <th>
                <Name topic={each.topic} title={each.title} />
              </th>
              <td className="end">{count(each.turns, i18n.language)}</td>
              <td className="end">{said(each, measure, t, i18n.language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small muted cost-note">{t("costs.unreadTopics")}</p>
    </section>
  );
}
