/** What corrects an entry, beside it. */
import { useTranslation } from "react-i18next";
import type { Entry } from "@/api/types";
import { Icon } from "@/components/icon";
import { languageOf } from "@/lib/wording";
import { actorWords } from "../words/people";
import { useTape } from "./tape-context";

export function EntryCorrections({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const { people } = useTape();
  return (entry.corrections ?? []).map((correction) => (
    <p key={correction.seq} className="entry-correction small-text">
      <Icon name="pen" />
      <span className="muted">
        {t("tape.correctedBy", { who: actorWords(correction.actor, people, t) })}
      </span>
      <span lang={languageOf(correction.text ?? "")} dir="auto">
        {correction.withheld ? t("tape.withheld") : correction.text}
      </span>
    </p>
  ));
}
