/** The vocabulary: business words and the code words they are tied to, to be searched and corrected. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isRefused } from "@/api/errors";
import type { Term, TermExample } from "@/api/types";
import { Failure } from "@/components/failure";
import { Icon } from "@/components/icon";
import { MoreButton } from "@/components/more-button";
import { SearchField } from "@/components/search-field";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { CodeSheet } from "@/features/evidence/components/code-sheet";
import { readableQuery } from "@/features/repositories/api/list-repositories";
import { termsQuery } from "@/features/vocabulary/api/list-terms";
import { TermDialog } from "@/features/vocabulary/components/term-dialog";
import { type Named, TermFilters } from "@/features/vocabulary/components/term-filters";
import { TermRow } from "@/features/vocabulary/components/term-row";
import { usePageTitle } from "@/lib/page-title";
import { useTermFilter } from "./term-filter";

type Filter = ReturnType<typeof useTermFilter>;

type Props = { filter: Filter; repositories: Named[]; onCorrect: (from: Term) => void };

function Terms({ filter, repositories, onCorrect }: Props) {
  const { t } = useTranslation();
  const [example, setExample] = useState<TermExample | null>(null);
  const query = useInfiniteQuery({
    ...termsQuery(filter.chosen),
    placeholderData: keepPreviousData,
  });
  const terms = query.data?.pages.flatMap((page) => page.results) ?? [];
  if (isRefused(query.error)) {
    return (
      <StatePanel icon="lock" title={t("states.forbidden")} text={t("vocabulary.forbidden")} />
    );
  }
  return (
    <>
      <div className="filter-line">
        <TermFilters
          filter={filter.chosen}
          counts={query.data?.pages[0]?.counts}
          repositories={repositories}
          onChange={filter.set}
        />
      </div>
      <div className="card term-list">
        {query.isPending && <Skeleton text={t("states.loadingWords")} />}
        {query.error && !query.data && (
          <Failure title={t("states.page")} error={query.error} onRetry={() => query.refetch()} />
        )}
        {query.data && terms.length === 0 && (
          <StatePanel
            icon="search"
            title={t("vocabulary.noSuch")}
            text={t("vocabulary.noSuchHint")}
          />
        )}
        <ul aria-label={t("vocabulary.title")}>
          {terms.map((term) => (
            <TermRow
              key={`${term.word}:${term.code}:${term.repository?.id}:${term.source}:${term.state}`}
              term={term}
              onCorrect={onCorrect}
              onOpen={setExample}
            />
          ))}
        </ul>
      </div>
      <MoreButton pages={query} />
      {example && (
        <CodeSheet
          place={{ ...example, start_line: example.line, end_line: example.line }}
          onClose={() => setExample(null)}
        />
      )}
    </>
  );
}

export function VocabularyPage() {
  const { t } = useTranslation();
  const filter = useTermFilter();
  const { data: repositories = [] } = useQuery(readableQuery);
  const [dialog, setDialog] = useState<Term | { word: string } | null>(
    filter.adding ? { word: "" } : null,
  );
  usePageTitle(t("vocabulary.title"));
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("vocabulary.title")}</h1>
          <p>{t("vocabulary.lead")}</p>
        </div>
        <button
          type="button"
          className="button primary"
          onClick={() => setDialog({ word: filter.text })}
        >
          <Icon name="plus" />
          {t("vocabulary.add")}
        </button>
      </header>
      <SearchField
        label={t("vocabulary.search")}
        placeholder={t("vocabulary.placeholder")}
        text={filter.text}
        onChange={filter.setText}
      />
      <Terms filter={filter} repositories={repositories} onCorrect={setDialog} />
      {dialog && (
        <TermDialog from={dialog} repositories={repositories} onClose={() => setDialog(null)} />
      )}
    </main>
  );
}
