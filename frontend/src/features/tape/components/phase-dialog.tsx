/** Begins a new phase: the model goes on from here; what came before stays on the tape. */
import { useTranslation } from "react-i18next";
import type { Handoff } from "@/api/types";
import { FormArea, FormField } from "@/components/form-field";
import { handOff } from "../api/hand-off";
import { ActForm } from "./act-form";
import { useTapeAct } from "./use-tape-act";

type Props = { tape: number; onClose: () => void };

export function PhaseDialog({ tape, onClose }: Props) {
  const { t } = useTranslation();
  const begin = useTapeAct((said: Handoff) => handOff(tape, said), onClose);
  return (
    <ActForm
      title={t("tape.newPhase")}
      hint={t("tape.newPhaseHint")}
      act={t("tape.beginPhase")}
      busy={begin.isPending}
      trouble={begin.trouble}
      onClose={onClose}
      onSubmit={(said) => {
        const summary = said("summary");
        const state = summary ? { summary } : null;
        begin.mutate({ name: said("name"), state, why: said("why") });
      }}
    >
      <FormField name="name" label={t("tape.phaseName")} required maxLength={150} />
      <FormArea name="summary" label={t("tape.phaseSummary")} rows={3} />
      <FormField name="why" label={t("tape.why")} />
    </ActForm>
  );
}
