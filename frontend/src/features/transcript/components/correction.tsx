/** A correction, beside what it corrects. */
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { languageOf, moment } from "@/lib/wording";
import type { Correction as Corrected } from "../fold/shapes";
import { Withheld } from "./withheld";

export function Correction({ correction }: { correction: Corrected }) {
  const { t, i18n } = useTranslation();
  if (correction.withheld) return <Withheld />;
  return (
    <aside className="correction">
      <p className="small muted row">
        <Icon name="pen" />
        <span className="dotted">
          <span>{t("turn.correction")}</span>
          <time dateTime={correction.date}>{moment(correction.date, i18n.language)}</time>
        </span>
      </p>
      <p lang={languageOf(correction.text)} dir="auto">
        {correction.text}
      </p>
    </aside>
  );
}
