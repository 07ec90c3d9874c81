/** Facts: what finished topics taught. Everyone reads the accepted ones; reviewers have their queue here. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FactPlace } from "@/api/types";
import { Failure } from "@/components/failure";
import { MoreButton } from "@/components/more-button";
import { SearchField } from "@/components/search-field";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { CodeSheet } from "@/features/evidence/components/code-sheet";
import { factsQuery } from "@/features/facts/api/list-facts";
import { ActDialog, type Acting } from "@/features/facts/components/act-dialog";
import { FactCard } from "@/features/facts/components/fact-card";
import { FactFilters } from "@/features/facts/components/fact-filters";
import { readableQuery } from "@/features/repositories/api/list-repositories";
import { usePageTitle } from "@/lib/page-title";
import { useReviews } from "../shell/nav-links";
import { useFactFilter } from "./fact-filter";
import { useFactKeys } from "./fact-keys";

type Filter = ReturnType<typeof useFactFilter>;

function NoFacts({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation();
  if (filtered) {
    return <StatePanel icon="search" title={t("facts.none")} text={t("facts.noneHint")} />;
  }
  return <StatePanel icon="fact" title={t("facts.empty")} text={t("facts.emptyHint")} />;
}

function Facts({ filter }: { filter: Filter }) {
  const { t } = useTranslation();
  const [place, setPlace] = useState<FactPlace | null>(null);
  const [acting, setActing] = useState<Acting | null>(null);
  const { data: repositories = [] } = useQuery(readableQuery);
  const query = useInfiniteQuery({
    ...factsQuery(filter.chosen),
    placeholderData: keepPreviousData,
  });
  const facts = query.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <>
      <div className="filter-line">
        <FactFilters
          filter={filter.chosen}
          counts={query.data?.pages[0]?.counts}
          repositories={repositories}
          onChange={filter.set}
        />
      </div>
      <div className="card fact-list">
        {query.isPending && <Skeleton text={t("facts.loading")} />}
        {query.error && !query.data && (
          <Failure title={t("states.page")} error={query.error} onRetry={() => query.refetch()} />
        )}
        {query.data && facts.length === 0 && (
          <NoFacts filtered={Object.keys(filter.chosen).length > 0} />
        )}
        <ul aria-label={t("facts.title")}>
          {facts.map((fact) => (
            <FactCard
              key={fact.id}
              fact={fact}
              onOpen={setPlace}
              onAct={(act, of) => setActing({ act, fact: of })}
            />
          ))}
        </ul>
      </div>
      <MoreButton pages={query} />
      {place && <CodeSheet place={place} onClose={() => setPlace(null)} />}
      {acting && <ActDialog acting={acting} onClose={() => setActing(null)} />}
    </>
  );
}

export function FactsPage() {
  const { t } = useTranslation();
  const filter = useFactFilter();
  const reviews = useReviews();
  useFactKeys();
  usePageTitle(t("facts.title"));
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("facts.title")}</h1>
          <p>{t("facts.lead")}</p>
        </div>
      </header>
      <SearchField
        label={t("facts.search")}
        placeholder={t("facts.placeholder")}
        text={filter.text}
        onChange={filter.setText}
      />
      <Facts filter={filter} />
      {reviews && <p className="small muted only-wide fact-keys">{t("facts.keys")}</p>}
    </main>
  );
}
