/** Whose tape it is, how much is on it, whether it is whole, and the acts that begin something. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TapeDetail } from "@/api/types";
import { calendarDay } from "@/lib/wording";
import { costWords, entryCount } from "../words/figures";
import { PhaseDialog } from "./phase-dialog";
import { ResetDialog } from "./reset-dialog";
import { Verification } from "./verification";

type Props = { tape: TapeDetail; mayWrite: boolean; onReset: (tape: number) => void };

function Figures({ tape }: { tape: TapeDetail }) {
  const { t, i18n } = useTranslation();
  const cost = costWords(tape, t, i18n.language);
  return (
    <p className="dotted">
      <span className="mono">{tape.name}</span>
      <span>{entryCount(tape.head, t, i18n.language)}</span>
      <span>{t("tape.topics", { count: tape.topic_count })}</span>
      {cost && <span>{cost}</span>}
      {tape.archived_at && (
        <span>{t("tape.closed", { date: calendarDay(tape.archived_at, i18n.language) })}</span>
      )}
    </p>
  );
}

export function TapeHead({ tape, mayWrite, onReset }: Props) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<"phase" | "reset" | null>(null);
  const close = () => setDialog(null);
  return (
    <header className="page-head tape-head">
      <div className="grow">
        <h1>{tape.owner ? t("tape.of", { name: tape.owner.display_name }) : t("tape.title")}</h1>
        <Figures tape={tape} />
      </div>
      <Verification tape={tape} />
      {mayWrite && (
        <span className="row">
          <button
            type="button"
            className="button"
            title={t("tape.newPhaseHint")}
            onClick={() => setDialog("phase")}
          >
            {t("tape.newPhase")}
          </button>
          <button
            type="button"
            className="button"
            title={t("tape.startOverHint")}
            onClick={() => setDialog("reset")}
          >
            {t("tape.startOver")}
          </button>
        </span>
      )}
      {dialog === "phase" && <PhaseDialog tape={tape.id} onClose={close} />}
      {dialog === "reset" && <ResetDialog tape={tape.id} onClose={close} onReset={onReset} />}
    </header>
  );
}
