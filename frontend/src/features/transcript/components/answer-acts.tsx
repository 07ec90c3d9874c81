/** What can be done with an answer: correct it, or ask from the anchor before it. */
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import type { Answer } from "../fold/shapes";
import { useTranscript } from "./transcript-context";

export function AnswerActs({ answer }: { answer: Answer | null }) {
  const { t } = useTranslation();
  const { acts } = useTranscript();
  if (!acts || !answer || answer.withheld) return null;
  const { seq } = answer;
  const { onCorrect, onPropose, onAskFrom } = acts;
  return (
    <div className="turn-acts">
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
    </div>
  );
}
