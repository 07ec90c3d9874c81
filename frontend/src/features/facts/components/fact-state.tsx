/** How a fact stands, in a word: proposed, accepted, stale, rejected, taken back. */
import { useTranslation } from "react-i18next";
import type { Fact } from "@/api/types";
import { Icon } from "@/components/icon";

export function FactState({ fact }: { fact: Pick<Fact, "status" | "stale"> }) {
  const { t } = useTranslation();
  if (fact.stale && fact.status !== "rejected" && fact.status !== "withdrawn") {
    return (
      <span className="tag warn">
        <Icon name="warning" />
        {t("facts.state.stale")}
      </span>
    );
  }
  const tone = { accepted: "tag good", proposed: "tag info", rejected: "tag", withdrawn: "tag" };
  return <span className={tone[fact.status]}>{t(`facts.state.${fact.status}`)}</span>;
}
