/** A turn's answer: written, being written, withheld, unverified, or that nothing was found. */
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { languageOf, localeTag } from "@/lib/wording";
import type { Answer as Written } from "../fold/shapes";
import { AnswerText } from "./answer-text";
import { Withheld } from "./withheld";

export function WritingAnswer({ text }: { text: string }) {
  return (
    <div className="answer writing" aria-busy="true">
      <AnswerText text={text} language={languageOf(text)} />
    </div>
  );
}

function Notice({ answer, found }: { answer: Written; found: boolean }) {
  const { t } = useTranslation();
  if (!found) {
    return (
      <div className="not-found">
        <p className="row">
          <Icon name="search" />
          <b>{t("turn.notFound")}</b>
        </p>
        <p>{t("turn.notFoundHint")}</p>
      </div>
    );
  }
  if (answer.verified) return null;
  return (
    <p className="row unverified">
      <span className="tag warn">
        <Icon name="warning" />
        {t("turn.unverified")}
      </span>
      <span className="small">{t("turn.unverifiedHint")}</span>
    </p>
  );
}

export function Answer({ answer, found }: { answer: Written; found: boolean }) {
  const { t } = useTranslation();
  if (answer.withheld) return <Withheld />;
  const language = answer.language ? localeTag(answer.language) : languageOf(answer.text);
  return (
    <div className="answer">
      <Notice answer={answer} found={found} />
      {answer.partial && <span className="tag warn">{t("turn.partial")}</span>}
      <AnswerText text={answer.text} language={language} />
    </div>
  );
}
