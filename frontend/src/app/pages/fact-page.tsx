/** One fact: its words, its versions, the topics that came to it, and what may be done with it. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FactDetail, FactPlace } from "@/api/types";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { CodeSheet } from "@/features/evidence/components/code-sheet";
import { factQuery } from "@/features/facts/api/get-fact";
import { ActDialog, type Acting } from "@/features/facts/components/act-dialog";
import { FactCard } from "@/features/facts/components/fact-card";
import { FactVersions } from "@/features/facts/components/fact-versions";
import { usePageTitle } from "@/lib/page-title";

function Topics({ fact }: { fact: FactDetail }) {
  const { t } = useTranslation();
  return (
    <ul className="fact-topics">
      {fact.topics.map((topic) => (
        <li key={topic.id}>
          <Link to="/topics/$topic" params={{ topic: String(topic.id) }} dir="auto">
            {topic.title || t("facts.topic", { id: topic.id })}
          </Link>
        </li>
      ))}
      {fact.topics_withheld > 0 && (
        <li className="muted">{t("facts.topicsWithheld", { count: fact.topics_withheld })}</li>
      )}
    </ul>
  );
}

function Whole({ fact }: { fact: FactDetail }) {
  const { t } = useTranslation();
  const [place, setPlace] = useState<FactPlace | null>(null);
  const [acting, setActing] = useState<Acting | null>(null);
  return (
    <>
      <ul className="card fact-list" aria-label={t("facts.title")}>
        <FactCard fact={fact} onOpen={setPlace} onAct={(act, of) => setActing({ act, fact: of })} />
      </ul>
      <section className="fact-part">
        <h2>{t("facts.drawnFrom")}</h2>
        <Topics fact={fact} />
      </section>
      <section className="fact-part">
        <h2>{t("facts.versions")}</h2>
        <FactVersions fact={fact} onOpen={setPlace} />
      </section>
      {place && <CodeSheet place={place} onClose={() => setPlace(null)} />}
      {acting && <ActDialog acting={acting} onClose={() => setActing(null)} />}
    </>
  );
}

export function FactPage() {
  const { t } = useTranslation();
  const { fact } = useParams({ from: "/shell/facts/$fact" });
  const query = useQuery(factQuery(Number(fact)));
  usePageTitle(t("facts.number", { id: fact }));
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("facts.number", { id: fact })}</h1>
          <p>
            <Link to="/facts">{t("facts.all")}</Link>
          </p>
        </div>
      </header>
      {query.isPending && <Skeleton text={t("facts.loading")} />}
      {query.error && !query.data && (
        <Failure title={t("facts.missing")} error={query.error} onRetry={() => query.refetch()} />
      )}
      {query.data && <Whole fact={query.data} />}
    </main>
  );
}
