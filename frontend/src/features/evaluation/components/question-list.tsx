/** Every question of a set: what was found for it, and what came first instead. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EvaluationQuestion } from "@/api/types";
import { Icon } from "@/components/icon";
import { localeTag } from "@/lib/wording";

type Outcome = NonNullable<EvaluationQuestion["outcome"]>;

function Verdict({ outcome }: { outcome: Outcome | null }) {
  const { t } = useTranslation();
  if (!outcome) return <span className="tag">{t("evaluation.notAsked")}</span>;
  if (outcome.file_rank === 1) {
    return (
      <span className="row small good status-word">
        <Icon name="check" />
        {t("evaluation.first")}
      </span>
    );
  }
  if (outcome.file_rank !== null) {
    return (
      <span className="tag">
        {t("evaluation.rank", { count: outcome.file_rank, ordinal: true })}
      </span>
    );
  }
  return (
    <span className="tag warn">
      <Icon name="warning" />
      {outcome.found ? t("evaluation.missed") : t("evaluation.nothing")}
    </span>
  );
}

function Places({ question }: { question: EvaluationQuestion }) {
  const { t } = useTranslation();
  const { outcome, places } = question;
  const first = outcome?.first;
  return (
    <dl className="places small">
      <div>
        <dt>{t("evaluation.expected")}</dt>
        <dd className="path">
          {places.map((place) => `${place.repository}/${place.path}`).join(", ")}
        </dd>
      </div>
      {first && outcome.file_rank !== 1 && (
        <div>
          <dt>{t("evaluation.cameFirst")}</dt>
          <dd className="path">
            {first.repository}/{first.path}
          </dd>
        </div>
      )}
    </dl>
  );
}

function Asked({ question }: { question: EvaluationQuestion }) {
  const { t } = useTranslation();
  if (question.withheld) {
    return (
      <p className="row muted">
        <Icon name="lock" />
        {t("evaluation.withheld")}
      </p>
    );
  }
  return (
    <>
      <div className="row">
        <p className="grow" lang={localeTag(question.language)} dir="auto">
          {question.question}
        </p>
        <Verdict outcome={question.outcome} />
      </div>
      <Places question={question} />
    </>
  );
}

function wasMissed({ outcome }: EvaluationQuestion): boolean {
  return outcome !== null && outcome.file_rank !== 1;
}

export function QuestionList({ questions }: { questions: EvaluationQuestion[] }) {
  const { t } = useTranslation();
  const [onlyMissed, setOnlyMissed] = useState(false);
  const shown = onlyMissed ? questions.filter(wasMissed) : questions;
  const missed = questions.filter(wasMissed).length;
  return (
    <section className="block">
      <div className="row wrap">
        <h3 className="section-title grow">{t("evaluation.questionsTitle")}</h3>
        <label className="row small-text">
          <input
            type="checkbox"
            checked={onlyMissed}
            onChange={(event) => setOnlyMissed(event.target.checked)}
          />
          {t("evaluation.onlyMissed", { count: missed })}
        </label>
      </div>
      <ul className="question-list">
        {shown.map((question) => (
          <li key={question.id}>
            <Asked question={question} />
          </li>
        ))}
      </ul>
    </section>
  );
}
