/** What may be done with a fact: its reviewer accepts, edits, rejects; its contributor takes it back. */
import { useTranslation } from "react-i18next";
import type { Fact } from "@/api/types";
import { Icon } from "@/components/icon";
import { Trouble } from "@/components/trouble";
import { acceptFact } from "../api/accept-fact";
import { useFactChange } from "./use-fact-change";

export type FactAct = "edit" | "reject" | "withdraw";

type Props = { fact: Fact; onAct: (act: FactAct, fact: Fact) => void };

function isLiving(fact: Fact): boolean {
  return fact.status === "proposed" || fact.status === "accepted";
}

function Reviewing({ fact, onAct }: Props) {
  const { t } = useTranslation();
  const accept = useFactChange(() => acceptFact(fact.id, { version: fact.version }));
  return (
    <>
      {fact.status === "proposed" && !fact.stale && (
        <button
          type="button"
          className="button"
          data-act="accept"
          disabled={accept.isPending}
          onClick={() => accept.mutate(undefined)}
        >
          <Icon name="check" />
          {t("facts.accept")}
        </button>
      )}
      <button type="button" className="quiet" data-act="edit" onClick={() => onAct("edit", fact)}>
        <Icon name="pen" />
        {t("facts.edit")}
      </button>
      <button
        type="button"
        className="quiet"
        data-act="reject"
        onClick={() => onAct("reject", fact)}
      >
        <Icon name="close" />
        {t("facts.reject")}
      </button>
      <Trouble text={accept.trouble} />
    </>
  );
}

export function FactActs({ fact, onAct }: Props) {
  const { t } = useTranslation();
  if (!isLiving(fact) || !(fact.reviewable || fact.mine)) return null;
  return (
    <div className="row wrap fact-acts">
      {fact.reviewable && <Reviewing fact={fact} onAct={onAct} />}
      {fact.mine && (
        <button type="button" className="quiet" onClick={() => onAct("withdraw", fact)}>
          {t("facts.withdraw")}
        </button>
      )}
    </div>
  );
}
