/** Proposing what an answer says as a fact: its sentence, to be made to stand alone, and the cited lines. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormArea } from "@/components/form-field";
import { FormSheet } from "@/components/form-sheet";
import { Trouble } from "@/components/trouble";
import { proposeFact } from "../api/propose-fact";
import { useFactChange } from "./use-fact-change";

type ProposedPlace = { evidence: number; label: string };

export type Proposed = { topic: number; turn: number; text: string; places: ProposedPlace[] };

type Props = { proposed: Proposed; onClose: () => void };

export function ProposeDialog({ proposed, onClose }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState(proposed.text);
  const [kept, setKept] = useState(new Set(proposed.places.map((each) => each.evidence)));
  const save = useFactChange(
    () =>
      proposeFact(proposed.topic, {
        turn: proposed.turn,
        text: text.trim(),
        evidence: [...kept].slice(0, 8),
      }),
    onClose,
  );
  const keep = (evidence: number, on: boolean) =>
    setKept((before) => {
      const after = new Set(before);
      if (on) after.add(evidence);
      else after.delete(evidence);
      return after;
    });
  return (
    <FormSheet
      title={t("facts.propose")}
      act={t("facts.propose")}
      disabled={save.isPending || kept.size === 0}
      onSubmit={() => save.mutate(undefined)}
      onClose={onClose}
    >
      <FormArea
        label={t("facts.text")}
        hint={t("facts.textHint")}
        rows={4}
        required
        maxLength={600}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <fieldset className="form-field">
        <legend>{t("facts.evidence")}</legend>
        {proposed.places.map(({ evidence, label }) => (
          <label key={evidence} className="row">
            <input
              type="checkbox"
              checked={kept.has(evidence)}
              onChange={(event) => keep(evidence, event.target.checked)}
            />
            <span className="path small-text" translate="no">
              {label}
            </span>
          </label>
        ))}
      </fieldset>
      <p className="small muted">{t("facts.proposeHint")}</p>
      <Trouble text={save.trouble} />
    </FormSheet>
  );
}
