/** Facts in short, a line each, for pages about something else: a topic's end, a search. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { WordsWithCode } from "@/components/words-with-code";
import { languageOf } from "@/lib/wording";
import { type FactFilter, factsQuery } from "../api/list-facts";
import { FactOrigin } from "./fact-origin";
import { FactState } from "./fact-state";

const most = 5;

/** Nothing is drawn where there are none: these pages are not about facts. */
export function FactLines({ filter, title }: { filter: FactFilter; title: string }) {
  const { data } = useInfiniteQuery(factsQuery(filter));
  const facts = data?.pages[0]?.results.slice(0, most) ?? [];
  if (facts.length === 0) return null;
  return (
    <section className="fact-lines" aria-label={title}>
      <h2 className="small-text">{title}</h2>
      <ul>
        {facts.map((fact) => (
          <li key={fact.id}>
            <p className="row wrap">
              <FactState fact={fact} />
              <Link
                to="/facts/$fact"
                params={{ fact: String(fact.id) }}
                lang={languageOf(fact.text ?? "")}
                dir="auto"
              >
                <WordsWithCode text={fact.text ?? "…"} />
              </Link>
            </p>
            <FactOrigin fact={fact} on={filter.topic} />
          </li>
        ))}
      </ul>
    </section>
  );
}
