/** A citation in the text: its number, and one press to the lines. */
import { useTranslation } from "react-i18next";
import { useTranscript } from "./transcript-context";

export function CitationButton({ marker }: { marker: string }) {
  const { t } = useTranslation();
  const { citations, open, onOpen } = useTranscript();
  const citation = citations.find((each) => each.marker === marker);
  if (!citation) return null;
  return (
    <button
      type="button"
      className="citation"
      data-evidence={citation.evidence}
      aria-pressed={open === citation.evidence}
      aria-label={t("turn.citation", { number: citation.number })}
      onClick={() => onOpen(citation.evidence)}
    >
      {citation.number}
    </button>
  );
}
