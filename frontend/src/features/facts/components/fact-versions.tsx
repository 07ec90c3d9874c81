/** Every version of a fact, the newest first: its words, whose, and on which lines. */
import { useTranslation } from "react-i18next";
import type { FactDetail, FactPlace } from "@/api/types";
import { languageOf, moment } from "@/lib/wording";
import { FactPlaces } from "./fact-places";

type Props = { fact: FactDetail; onOpen: (place: FactPlace) => void };

export function FactVersions({ fact, onOpen }: Props) {
  const { t, i18n } = useTranslation();
  return (
    <ol className="fact-versions" reversed aria-label={t("facts.versions")}>
      {fact.versions.map((version) => (
        <li key={version.number} value={version.number}>
          <p lang={languageOf(version.text ?? "")} dir="auto">
            {version.text ?? t("facts.withheld")}
          </p>
          <p className="small muted dotted">
            <span>{version.author?.display_name ?? t("facts.operator")}</span>
            <span>{t(`facts.origin.${version.origin}`)}</span>
            <time dateTime={version.created_at}>{moment(version.created_at, i18n.language)}</time>
          </p>
          <FactPlaces places={version.evidence} onOpen={onOpen} />
        </li>
      ))}
    </ol>
  );
}
