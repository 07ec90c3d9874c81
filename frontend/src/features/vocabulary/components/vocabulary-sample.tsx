/** A few of a repository's words, where they come from, and the way to all of them. */
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Term } from "@/api/types";
import { listText } from "@/lib/wording";
import { termsQuery } from "../api/list-terms";
import { sourceCounts, total } from "../words/sources";
import { Pair } from "./pair";

const shown = 6;

/** A single character that was mined says nothing to a reader; one that a person tied does. */
function isTelling({ word, code, source, state }: Term): boolean {
  if (state === "suppressed") return false;
  return source === "people" || (Array.from(word).length > 1 && code.length > 1);
}

type Props = { repository: number; linkToAll: (count: number) => ReactNode };

export function VocabularySample({ repository, linkToAll }: Props) {
  const { t, i18n } = useTranslation();
  const { data } = useInfiniteQuery(termsQuery({ repository }));
  const page = data?.pages[0];
  if (!page) return null;
  const terms = page.results.filter(isTelling).slice(0, shown);
  const parts = sourceCounts(page.counts, t);
  return (
    <section className="block">
      <div className="row">
        <h3 className="section-title grow">{t("vocabulary.title")}</h3>
        {parts.length > 0 && linkToAll(total(page.counts))}
      </div>
      <div className="terms">
        {terms.map((term) => (
          <span key={`${term.word}:${term.code}`} className="term">
            <Pair term={term} />
          </span>
        ))}
      </div>
      <p className="small muted terms-from">
        {parts.length > 0
          ? t("vocabulary.comesFrom", { parts: listText(parts, i18n.language) })
          : t("vocabulary.none")}
      </p>
    </section>
  );
}
