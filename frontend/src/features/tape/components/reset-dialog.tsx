/** Starts over: this tape is closed and kept, a new one of its name goes on. */
import { useTranslation } from "react-i18next";
import { FormField } from "@/components/form-field";
import { resetTape } from "../api/reset-tape";
import { ActForm } from "./act-form";
import { useTapeAct } from "./use-tape-act";

type Props = { tape: number; onClose: () => void; onReset: (tape: number) => void };

export function ResetDialog({ tape, onClose, onReset }: Props) {
  const { t } = useTranslation();
  const reset = useTapeAct(
    (why: string) => resetTape(tape, why),
    (made) => {
      onClose();
      onReset(made.tape);
    },
  );
  return (
    <ActForm
      title={t("tape.startOver")}
      hint={t("tape.startOverHint")}
      act={t("tape.startOver")}
      busy={reset.isPending}
      trouble={reset.trouble}
      onClose={onClose}
      onSubmit={(said) => reset.mutate(said("why"))}
    >
      <FormField name="why" label={t("tape.why")} />
    </ActForm>
  );
}
