/** Rejecting a fact, with the reason its contributor reads; or taking one's own back. */

import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Fact } from "@/api/types";
import { FormArea } from "@/components/form-field";
import { FormSheet } from "@/components/form-sheet";
import { Trouble } from "@/components/trouble";
import { WordsWithCode } from "@/components/words-with-code";
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
  return (
    <FormSheet
      title={t(`facts.${act}Title`, { id: fact.id })}
      act={t(`facts.${act}`)}
      disabled={change.isPending}
      onSubmit={() => change.mutate(undefined)}
      onClose={onClose}
    >
      <p dir="auto">
        <WordsWithCode text={fact.text ?? ""} />
      </p>
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
    </FormSheet>
  );
}
