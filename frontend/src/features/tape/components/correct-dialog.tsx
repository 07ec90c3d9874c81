/** Says what is right where an entry is wrong; the entry stays, with this beside it. */
import { useTranslation } from "react-i18next";
import { FormArea } from "@/components/form-field";
import { correctEntry } from "../api/correct-entry";
import { ActForm } from "./act-form";
import { useTapeAct } from "./use-tape-act";

type Props = { tape: number; seq: number; onClose: () => void };

export function CorrectDialog({ tape, seq, onClose }: Props) {
  const { t } = useTranslation();
  const correct = useTapeAct(
    (text: string) => correctEntry(tape, { corrects: seq, text }),
    onClose,
  );
  return (
    <ActForm
      title={t("tape.correctTitle", { seq })}
      hint={t("tape.correctHint")}
      act={t("tape.correct")}
      busy={correct.isPending}
      trouble={correct.trouble}
      onClose={onClose}
      onSubmit={(said) => correct.mutate(said("text"))}
    >
      <FormArea name="text" label={t("tape.whatIsRight")} rows={4} required />
    </ActForm>
  );
}
