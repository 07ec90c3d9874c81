/** Editing a fact: other words, and other lines where the code has moved on. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Fact } from "@/api/types";
import { FormArea } from "@/components/form-field";
import { FormSheet } from "@/components/form-sheet";
import { Trouble } from "@/components/trouble";
import { editFact } from "../api/edit-fact";
import { EditPlaces, linesOf } from "./edit-places";
import { useFactChange } from "./use-fact-change";

export function EditDialog({ fact, onClose }: { fact: Fact; onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(fact.text ?? "");
  const [anew, setAnew] = useState(fact.stale);
  const [lines, setLines] = useState(linesOf(fact));
  const save = useFactChange(
    () =>
      editFact(fact.id, {
        version: fact.version,
        text: text.trim(),
        evidence: anew ? lines : null,
      }),
    onClose,
  );
  return (
    <FormSheet
      title={t("facts.editTitle", { id: fact.id })}
      disabled={save.isPending}
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
      <label className="row">
        <input type="checkbox" checked={anew} onChange={(event) => setAnew(event.target.checked)} />
        <span>{t("facts.anew")}</span>
      </label>
      {anew && <EditPlaces fact={fact} lines={lines} onChange={setLines} />}
      <Trouble text={save.trouble} />
    </FormSheet>
  );
}
