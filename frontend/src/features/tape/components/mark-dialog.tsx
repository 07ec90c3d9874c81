/** Marks entries with a note: a lesson, an idea. */
import { useTranslation } from "react-i18next";
import type { NewMark } from "@/api/types";
import { FormArea, FormField } from "@/components/form-field";
import { listText } from "@/lib/wording";
import { markEntries } from "../api/mark-entries";
import { ActForm } from "./act-form";
import { useTapeAct } from "./use-tape-act";

type Props = { tape: number; seqs: number[]; onClose: () => void; onMarked: () => void };

export function MarkDialog({ tape, seqs, onClose, onMarked }: Props) {
  const { t, i18n } = useTranslation();
  const mark = useTapeAct((said: NewMark) => markEntries(tape, said), onMarked);
  const entries = listText(seqs.map(String), i18n.language);
  return (
    <ActForm
      title={t("tape.markTitle", { entries })}
      hint={t("tape.markHint")}
      act={t("tape.mark")}
      busy={mark.isPending}
      trouble={mark.trouble}
      onClose={onClose}
      onSubmit={(said) => mark.mutate({ seqs, name: said("name"), note: said("note") })}
    >
      <FormArea name="note" label={t("tape.note")} rows={3} required />
      <FormField
        name="name"
        label={t("tape.markName")}
        defaultValue={t("tape.lesson")}
        required
        maxLength={140}
      />
    </ActForm>
  );
}
