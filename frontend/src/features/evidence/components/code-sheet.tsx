/** A place in code opened over any page. */
import { useTranslation } from "react-i18next";
import { Sheet } from "@/components/sheet";
import type { LinePlace } from "../api/get-lines";
import { PlaceLines } from "./place-lines";

export function CodeSheet({ place, onClose }: { place: LinePlace; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Sheet title={t("evidence.face.code")} className="code-sheet" onClose={onClose}>
      <p className="path small-text">
        {place.repository.name}/{place.path}
        <span className="muted mono"> {place.commit.slice(0, 7)}</span>
      </p>
      <PlaceLines place={place} />
    </Sheet>
  );
}
