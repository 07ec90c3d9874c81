/** What its asker can do once a turn has ended: correct the answer, ask from the anchor before it, ask again. */
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import type { Answer, Question } from "../fold/shapes";
import { useTranscript } from "./transcript-context";

function OnAnswer({ answer }: { answer: Answer }) {
  const { t } = useTranslation();
  const { acts } = useTranscript();
  if (!acts) return null;
  const { seq } = answer;
  const { onCorrect, onPropose, onAskFrom } = acts;
  return (
    <>
      <button type="button" className="quiet" onClick={() => onCorrect(seq)}>
        <Icon name="pen" />
        {t("tape.correct")}
      </button>
      {onPropose && answer.citations.length > 0 && (
        <button type="button" className="quiet" onClick={() => onPropose(seq)}>
          <Icon name="fact" />
          {t("facts.propose")}
        </button>
      )}
      {onAskFrom && (
        <button type="button" className="quiet" onClick={() => onAskFrom(seq)}>
          <Icon name="tape" />
          {t("tape.askFrom")}
        </button>
      )}
    </>
  );
}

type Props = { question: Question | null; answer: Answer | null };

export function TurnActs({ question, answer }: Props) {
  const { t } = useTranslation();
  const { acts } = useTranscript();
  const again = question && !question.withheld ? acts?.onAskAgain : undefined;
  const shown = answer && !answer.withheld ? answer : null;
  if (!acts || !(again || shown)) return null;
  return (
    <div className="turn-acts">
      {shown && <OnAnswer answer={shown} />}
      {again && (
        <button type="button" className="quiet" onClick={() => again(question?.text ?? "")}>
          <Icon name="again" />
          {t("turn.askAgain")}
        </button>
      )}
    </div>
  );
}
