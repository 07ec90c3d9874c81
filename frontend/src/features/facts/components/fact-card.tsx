/** One fact: how it stands, its words, whose they are, what they rest on, and what may be done. */

import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Fact, FactPlace } from "@/api/types";
import { WordsWithCode } from "@/components/words-with-code";
import { languageOf } from "@/lib/wording";
import { type FactAct, FactActs } from "./fact-acts";
import { FactOrigin } from "./fact-origin";
import { FactPlaces } from "./fact-places";
import { FactState } from "./fact-state";

type Props = {
  fact: Fact;
  onOpen: (place: FactPlace) => void;
  onAct: (act: FactAct, fact: Fact) => void;
};

export function FactCard({ fact, onOpen, onAct }: Props) {
  const { t } = useTranslation();
  return (
    <li className="fact-card" data-fact={fact.id} data-status={fact.status}>
      <div className="row wrap fact-head">
        <FactState fact={fact} />
        <Link
          className="small-text muted"
          to="/facts/$fact"
          params={{ fact: String(fact.id) }}
          data-row
        >
          {t("facts.number", { id: fact.id })}
        </Link>
        {fact.version > 1 && (
          <span className="small-text muted">{t("facts.version", { number: fact.version })}</span>
        )}
      </div>
      {fact.text === null ? (
        <p className="muted">{t("facts.withheld")}</p>
      ) : (
        <p className="fact-text" lang={languageOf(fact.text)} dir="auto">
          <WordsWithCode text={fact.text} />
        </p>
      )}
      {fact.reason && (
        <p className="small-text" dir="auto">
          {t("facts.because", { reason: fact.reason })}
        </p>
      )}
      <FactOrigin fact={fact} />
      <FactPlaces places={fact.evidence} withheld={fact.evidence_withheld} onOpen={onOpen} />
      <FactActs fact={fact} onAct={onAct} />
    </li>
  );
}
