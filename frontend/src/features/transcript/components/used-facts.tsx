/** The accepted facts a turn was told of, each with whose word it is. */

import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { WordsWithCode } from "@/components/words-with-code";
import { languageOf, moment } from "@/lib/wording";
import type { UsedFact } from "../fold/facts";
import { useTranscript } from "./transcript-context";

function Fact({ fact }: { fact: UsedFact }) {
  const { t, i18n } = useTranslation();
  return (
    <li>
      <Link to="/facts/$fact" params={{ fact: String(fact.fact) }}>
        <span lang={languageOf(fact.text)} dir="auto">
          <WordsWithCode text={fact.text} />
        </span>
      </Link>
      <p className="small muted dotted">
        <span>{t("facts.number", { id: fact.fact })}</span>
        <Link to="/people/$person" params={{ person: String(fact.contributor.id) }} dir="auto">
          {fact.contributor.name}
        </Link>
        {fact.acceptedAt && (
          <span>
            {t("facts.decided.accepted", {
              name: fact.acceptedBy,
              when: moment(fact.acceptedAt, i18n.language),
            })}
          </span>
        )}
      </p>
    </li>
  );
}

export function UsedFacts({ turn }: { turn: number }) {
  const { t } = useTranslation();
  const facts = useTranscript().facts?.get(turn) ?? [];
  if (facts.length === 0) return null;
  return (
    <section className="used-facts" aria-label={t("facts.used")}>
      <p className="row small-text">
        <Icon name="fact" />
        {t("facts.used")}
      </p>
      <ul>
        {facts.map((fact) => (
          <Fact key={fact.fact} fact={fact} />
        ))}
      </ul>
    </section>
  );
}
