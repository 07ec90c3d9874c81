/** A question as the heading of its turn, and messages added to it while it ran. */
import { useTranslation } from "react-i18next";
import { languageOf, moment } from "@/lib/wording";
import type { Question } from "../fold/shapes";
import { Named } from "./named";

export function QuestionHeading({ question, asker }: { question: Question; asker: string }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {question.withheld ? (
        <h2 className="muted">{t("turn.questionWithheld")}</h2>
      ) : (
        <h2 lang={languageOf(question.text)} dir="auto">
          <Named text={question.text} />
        </h2>
      )}
      <p className="byline dotted">
        {asker && <span>{asker}</span>}
        <time dateTime={question.date}>{moment(question.date, i18n.language)}</time>
      </p>
    </>
  );
}

export function AddedMessage({ message, taken }: { message: Question; taken: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <div className="added">
      <p lang={languageOf(message.text)} dir="auto">
        {message.withheld ? t("turn.questionWithheld") : <Named text={message.text} />}
      </p>
      <p className="small muted dotted">
        <span>{taken ? t("turn.takenUp") : t("turn.joining")}</span>
        <time dateTime={message.date}>{moment(message.date, i18n.language)}</time>
      </p>
    </div>
  );
}
