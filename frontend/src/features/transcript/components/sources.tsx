/** The places an answer rests on, one line each, with what has happened to them since. */
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import type { Citation } from "../fold/shapes";
import { useTranscript } from "./transcript-context";

function PathOf({ citation }: { citation: Citation }) {
  const slash = citation.path.lastIndexOf("/") + 1;
  const lines =
    citation.startLine === citation.endLine
      ? `${citation.startLine}`
      : `${citation.startLine}–${citation.endLine}`;
  return (
    <span className="path">
      {citation.repository}/{citation.path.slice(0, slash)}
      <b>{citation.path.slice(slash)}</b> {lines}
    </span>
  );
}

function Source({ citation }: { citation: Citation }) {
  const { t } = useTranslation();
  const { changed, onOpen } = useTranscript();
  return (
    <li>
      <button type="button" onClick={() => onOpen(citation.evidence)}>
        <span className="citation" aria-hidden="true">
          {citation.number}
        </span>
        <PathOf citation={citation} />
        {!citation.valid && (
          <span className="tag bad">
            <Icon name="warning" />
            {t("turn.notConfirmed")}
          </span>
        )}
        {citation.valid && changed.has(citation.evidence) && (
          <span className="tag warn">
            <Icon name="clock" />
            {t("turn.changedSince")}
          </span>
        )}
      </button>
    </li>
  );
}

export function Sources({ citations }: { citations: Citation[] }) {
  const { t } = useTranslation();
  if (citations.length === 0) return null;
  return (
    <ul className="sources" aria-label={t("turn.sources")}>
      {citations.map((citation) => (
        <Source key={citation.evidence} citation={citation} />
      ))}
    </ul>
  );
}
