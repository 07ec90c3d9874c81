/** The faces of a piece of evidence: its code, what its file defines, who wrote its lines. */
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";

const faces = ["code", "outline", "blame"] as const;
export type Face = (typeof faces)[number];

type Props = { face: Face; onChange: (face: Face) => void };

export function PanelTabs({ face, onChange }: Props) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = faces[(faces.indexOf(face) + step + faces.length) % faces.length] ?? "code";
    onChange(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-face="${next}"]`)?.focus();
  };
  return (
    <div
      className="panel-tabs"
      role="tablist"
      aria-label={t("evidence.faces")}
      onKeyDown={onKeyDown}
    >
      {faces.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          data-face={each}
          aria-selected={each === face}
          tabIndex={each === face ? 0 : -1}
          onClick={() => onChange(each)}
        >
          {t(`evidence.face.${each}`)}
        </button>
      ))}
    </div>
  );
}
