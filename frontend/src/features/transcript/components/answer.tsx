/** A turn's answer: written, being written, withheld, unverified, or that nothing was found. */
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { languageOf, localeTag } from "@/lib/wording";
import type { TurnStory, Answer as Written } from "../fold/shapes";
import { AnswerText } from "./answer-text";
import { NotFound } from "./not-found";
import { Withheld } from "./withheld";

export function WritingAnswer({ text }: { text: string }) {
  return (
    <div className="answer writing" aria-busy="true">
      <AnswerText text={text} language={languageOf(text)} />
    </div>
  );
}

function Notice({ answer, story, found }: Props) {
  const { t } = useTranslation();
  if (!found) return <NotFound story={story} />;
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

type Props = { answer: Written; story: TurnStory; found: boolean };

export function Answer({ answer, story, found }: Props) {
  const { t } = useTranslation();
  if (answer.withheld) return <Withheld />;
  const language = answer.language ? localeTag(answer.language) : languageOf(answer.text);
  return (
    <div className="answer">
      <Notice answer={answer} story={story} found={found} />
      {answer.partial && <span className="tag warn">{t("turn.partial")}</span>}
      <AnswerText text={answer.text} language={language} />
    </div>
  );
}
