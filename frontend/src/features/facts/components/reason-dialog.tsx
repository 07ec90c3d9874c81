/** Rejecting a fact, with the reason its contributor reads; or taking one's own back. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Fact } from "@/api/types";
import { FormArea } from "@/components/form-field";
import { Sheet } from "@/components/sheet";
import { Trouble } from "@/components/trouble";
import { rejectFact } from "../api/reject-fact";
import { withdrawFact } from "../api/withdraw-fact";
import { useFactChange } from "./use-fact-change";

type Props = { act: "reject" | "withdraw"; fact: Fact; onClose: () => void };

export function ReasonDialog({ act, fact, onClose }: Props) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const said = { version: fact.version, reason: reason.trim() };
  const change = useFactChange(
    () => (act === "reject" ? rejectFact(fact.id, said) : withdrawFact(fact.id, said)),
    onClose,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined);
  };
  return (
    <Sheet title={t(`facts.${act}Title`, { id: fact.id })} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p dir="auto">{fact.text}</p>
        <FormArea
          label={t("facts.why")}
          hint={act === "reject" ? t("facts.rejectHint") : t("facts.withdrawHint")}
          rows={3}
          required={act === "reject"}
          value={reason}
          maxLength={600}
          onChange={(event) => setReason(event.target.value)}
        />
        <Trouble text={change.trouble} />
        <div className="row form-end">
          <button type="button" className="quiet" onClick={onClose}>
            {t("form.cancel")}
          </button>
          <button type="submit" className="button primary" disabled={change.isPending}>
            {t(`facts.${act}`)}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
