/** A person: the facts they contributed and the topics they opened to everyone. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Contributor, FactPlace } from "@/api/types";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { CodeSheet } from "@/features/evidence/components/code-sheet";
import { contributorQuery } from "@/features/facts/api/get-contributor";
import { ActDialog, type Acting } from "@/features/facts/components/act-dialog";
import { FactCard } from "@/features/facts/components/fact-card";
import { TopicRow } from "@/features/topics/components/topic-row";
import { usePageTitle } from "@/lib/page-title";

function Facts({ person }: { person: Contributor }) {
  const { t } = useTranslation();
  const [place, setPlace] = useState<FactPlace | null>(null);
  const [acting, setActing] = useState<Acting | null>(null);
  if (person.facts.length === 0) return <p className="muted">{t("person.noFacts")}</p>;
  return (
    <>
      <ul className="card fact-list" aria-label={t("person.facts")}>
        {person.facts.map((fact) => (
          <FactCard
            key={fact.id}
            fact={fact}
            onOpen={setPlace}
            onAct={(act, of) => setActing({ act, fact: of })}
          />
        ))}
      </ul>
      {place && <CodeSheet place={place} onClose={() => setPlace(null)} />}
      {acting && <ActDialog acting={acting} onClose={() => setActing(null)} />}
    </>
  );
}

function Whole({ person }: { person: Contributor }) {
  const { t } = useTranslation();
  return (
    <>
      <section className="fact-part">
        <h2>{t("person.facts")}</h2>
        <Facts person={person} />
      </section>
      <section className="fact-part">
        <h2>{t("person.topics")}</h2>
        {person.topics.length === 0 ? (
          <p className="muted">{t("person.noTopics")}</p>
        ) : (
          <ul className="card">
            {person.topics.map((topic) => (
              <TopicRow key={topic.id} topic={topic} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

export function PersonPage() {
  const { t } = useTranslation();
  const { person } = useParams({ from: "/shell/people/$person" });
  const query = useQuery(contributorQuery(Number(person)));
  const name = query.data?.person.display_name ?? "";
  usePageTitle(name || t("person.facts"));
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1 dir="auto">{name || "…"}</h1>
          {query.data && (
            <p className="dotted">
              <span>{t("person.factCount", { count: query.data.fact_count })}</span>
              <span>{t("person.topicCount", { count: query.data.topic_count })}</span>
            </p>
          )}
        </div>
      </header>
      {query.isPending && <Skeleton text={t("facts.loading")} />}
      {query.error && !query.data && (
        <Failure title={t("person.missing")} error={query.error} onRetry={() => query.refetch()} />
      )}
      {query.data && <Whole person={query.data} />}
    </main>
  );
}
