/** What the words of a search stand in on all tapes one may see; a press opens the entry on its tape. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { languageOf } from "@/lib/wording";
import { tapesSearchQuery } from "../api/search-tapes";
import { Snippet } from "./snippet";

export function HitsOnTapes({ q }: { q: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(tapesSearchQuery(q));
  if (q === "" || !data || data.results.length === 0) return null;
  return (
    <section className="on-tapes" aria-labelledby="on-tapes">
      <h2 className="section-title" id="on-tapes">
        {t("topics.onTapes")}
      </h2>
      <ol className="card hits">
        {data.results.map((hit) => (
          <li key={`${hit.tape}:${hit.seq}`}>
            <Link
              className="hit"
              to="/tapes/$tape"
              params={{ tape: String(hit.tape) }}
              search={{ entry: hit.seq }}
            >
              <span className="seq">{hit.seq}</span>
              <span className="tag">{t(`tape.tier.${hit.tier}`)}</span>
              <span className="grow" lang={languageOf(hit.snippet)} dir="auto">
                <Snippet text={hit.snippet} q={q} />
                <small className="muted">{hit.tape_name}</small>
              </span>
            </Link>
          </li>
        ))}
      </ol>
      {data.left > 0 && (
        <p className="small muted">{t("topics.tapesLeft", { count: data.left })}</p>
      )}
    </section>
  );
}
