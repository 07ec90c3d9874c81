/** The lines a fact rests on, each opening at the exact commit it was read at. */
import { useTranslation } from "react-i18next";
import type { FactPlace } from "@/api/types";
import { Icon } from "@/components/icon";

type Props = { places: FactPlace[]; withheld?: number; onOpen: (place: FactPlace) => void };

export function FactPlaces({ places, withheld = 0, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <ul className="fact-places" aria-label={t("facts.evidence")}>
      {places.map((place) => (
        <li key={`${place.commit}:${place.path}:${place.start_line}`}>
          <button
            type="button"
            className="path small-text"
            translate="no"
            onClick={() => onOpen(place)}
          >
            {place.repository.name}/{place.path}:{place.start_line}–{place.end_line}
          </button>
          {place.holds === false && (
            <span className="tag warn">
              <Icon name="warning" />
              {t("facts.changedSince")}
            </span>
          )}
        </li>
      ))}
      {withheld > 0 && (
        <li className="small-text muted">{t("facts.placesWithheld", { count: withheld })}</li>
      )}
    </ul>
  );
}
