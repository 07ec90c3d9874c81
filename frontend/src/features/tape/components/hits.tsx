/** What a search of the whole tape found, each with how it was found; a press goes to its place. */
import { useTranslation } from "react-i18next";
import type { TapeHit } from "@/api/types";
import { StatePanel } from "@/components/state-panel";
import { count, languageOf } from "@/lib/wording";
import { Snippet } from "./snippet";
import { useTape } from "./tape-context";

type Props = { q: string; hits: TapeHit[]; cut: number | null };

export function Hits({ q, hits, cut }: Props) {
  const { t, i18n } = useTranslation();
  const { tape, onGo } = useTape();
  const titles = new Map(tape.topics.map((topic) => [topic.id, topic.title]));
  if (hits.length === 0) {
    return <StatePanel icon="search" title={t("tape.noHits")} text={t("tape.noHitsHint")} />;
  }
  return (
    <>
      <ol className="card hits" aria-label={t("tape.hits")}>
        {hits.map((hit) => (
          <li key={hit.seq}>
            <button type="button" className="hit" data-row={hit.seq} onClick={() => onGo(hit.seq)}>
              <span className="seq">{hit.seq}</span>
              <span className="tag">{t(`tape.tier.${hit.tier}`)}</span>
              <span className="grow" lang={languageOf(hit.snippet)} dir="auto">
                <Snippet text={hit.snippet} q={q} />
                {hit.topic !== null && <small className="muted">{titles.get(hit.topic)}</small>}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {cut !== null && (
        <p className="small muted">{t("tape.cut", { seq: count(cut, i18n.language) })}</p>
      )}
    </>
  );
}
