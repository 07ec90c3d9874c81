/** Keeps a range of the tape under a name: what is written there, read with the rights of the day. */
import { useTranslation } from "react-i18next";
import { FormField } from "@/components/form-field";
import { saveView } from "../api/save-view";
import { rangeWords } from "../words/figures";
import { ActForm } from "./act-form";
import { useTapeAct } from "./use-tape-act";

type ViewRange = { first: number; last: number | null };

type Props = { tape: number; range: ViewRange; onClose: () => void; onSaved: (id: number) => void };

export function ViewDialog({ tape, range, onClose, onSaved }: Props) {
  const { t, i18n } = useTranslation();
  const save = useTapeAct(
    (name: string) => saveView({ name, parts: [{ tape, ...range }] }),
    ({ id }) => onSaved(id),
  );
  return (
    <ActForm
      title={t("tape.keepView", { range: rangeWords(range.first, range.last, i18n.language) })}
      hint={t("tape.keepViewHint")}
      act={t("form.save")}
      busy={save.isPending}
      trouble={save.trouble}
      onClose={onClose}
      onSubmit={(said) => save.mutate(said("name"))}
    >
      <FormField name="name" label={t("tape.viewName")} required maxLength={100} />
    </ActForm>
  );
}
