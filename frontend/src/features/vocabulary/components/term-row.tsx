/** One pair of words: where it comes from, why it maps, and what can be done about it. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Term, TermExample } from "@/api/types";
import { Icon } from "@/components/icon";
import { Trouble } from "@/components/trouble";
import { ago } from "@/lib/wording";
import { correctTerm } from "../api/correct-term";
import { undoCorrection } from "../api/undo-correction";
import { sourceWords } from "../words/sources";
import { Pair } from "./pair";
import { useCorrection } from "./use-correction";
import { Why } from "./why";

function Origin({ term }: { term: Term }) {
  const { t, i18n } = useTranslation();
  return (
    <p className="small muted dotted">
      <span>{term.repository?.name ?? t("vocabulary.everyRepository")}</span>
      <span>{sourceWords(term.source, t)}</span>
      {term.author && <span dir="auto">{term.author}</span>}
      {term.at && <span>{ago(term.at, i18n.language)}</span>}
      {term.note && <span dir="auto">{term.note}</span>}
    </p>
  );
}

/** What people did about the pair; what a fact added says so among its origins. */
function State({ term: { state, source } }: { term: Term }) {
  const { t } = useTranslation();
  if (state === "mined" || (state === "added" && source === "fact")) return null;
  return (
    <span className={state === "added" ? "tag info" : "tag"}>{t(`vocabulary.state.${state}`)}</span>
  );
}

function switchOff({ word, code, repository }: Term) {
  return correctTerm({
    word,
    code,
    repository: repository?.id ?? null,
    state: "suppressed",
    note: "",
  });
}

type Props = {
  term: Term;
  onCorrect: (term: Term) => void;
  onOpen: (example: TermExample) => void;
};

export function TermRow({ term, onCorrect, onOpen }: Props) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const why = useId();
  const off = useCorrection(switchOff);
  const undo = useCorrection(undoCorrection);
  const { correction } = term;
  return (
    <li className="term-row" data-state={term.state}>
      <div>
        <div className="row wrap">
          <Pair term={term} />
          <State term={term} />
        </div>
        <Origin term={term} />
      </div>
      <div className="row wrap term-acts">
        <button
          type="button"
          className="quiet"
          aria-expanded={asked}
          aria-controls={why}
          onClick={() => setAsked(!asked)}
        >
          {t("vocabulary.why")}
          <Icon name="down" />
        </button>
        {term.state !== "suppressed" && (
          <button type="button" className="quiet" onClick={() => onCorrect(term)}>
            <Icon name="pen" />
            {t("vocabulary.correct")}
          </button>
        )}
        {correction !== null ? (
          <button
            type="button"
            className="quiet"
            disabled={undo.isPending}
            onClick={() => undo.mutate(correction)}
          >
            {t("vocabulary.undo")}
          </button>
        ) : (
          <button
            type="button"
            className="quiet"
            disabled={off.isPending}
            onClick={() => off.mutate(term)}
          >
            {t("vocabulary.switchOff")}
          </button>
        )}
      </div>
      <Trouble text={off.trouble ?? undo.trouble} />
      <div id={why} className="term-why">
        {asked && <Why term={term} onOpen={onOpen} />}
      </div>
    </li>
  );
}
