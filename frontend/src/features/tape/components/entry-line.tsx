/** One entry: its place, what it is, one line of words and its time; a press shows all of it. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "@/api/types";
import { object, text } from "@/lib/read";
import { languageOf, stamp } from "@/lib/wording";
import { callIn } from "../fold/call";
import { markPrefix } from "../words/anchor-words";
import { entryWords, isErased } from "../words/entry-words";
import { callFigures } from "../words/event-words";
import { EntryCorrections } from "./entry-corrections";
import { EntryDetail } from "./entry-detail";
import { useTape } from "./tape-context";

function classOf(entry: Entry, chosen: boolean): string {
  const mark = entry.kind === "anchor" && text(object(entry.payload).name).startsWith(markPrefix);
  const gone = entry.withheld || isErased(entry);
  const classes = ["entry", entry.kind, mark ? "mark" : "", gone ? "gone" : ""];
  return [...classes, chosen ? "chosen" : ""].filter(Boolean).join(" ");
}

function Place({ seq }: { seq: number }) {
  const { t } = useTranslation();
  const { selected, mayWrite, onSelect } = useTape();
  if (!mayWrite) return <span className="seq">{seq}</span>;
  return (
    <label className="seq" title={t("tape.select", { seq })}>
      <input
        type="checkbox"
        aria-label={t("tape.select", { seq })}
        checked={selected.has(seq)}
        onChange={() => onSelect(seq)}
      />
      <span aria-hidden="true">{seq}</span>
    </label>
  );
}

/** A model call's line begins with the way to what the model saw. */
function CallLink({ entry, ended }: { entry: Entry; ended: boolean }) {
  const { t } = useTranslation();
  const { onCall } = useTape();
  return (
    <button
      type="button"
      className="call-link"
      onClick={() => entry.turn !== null && onCall(entry.turn, entry.seq)}
    >
      {t(ended ? "tape.event.call" : "tape.event.callStarted")}
    </button>
  );
}

function useWords(entry: Entry): { lead: ReactNode; words: string } {
  const { t, i18n } = useTranslation();
  const { people } = useTape();
  const call = callIn(entry);
  if (!call) return { lead: null, words: entryWords(entry, people, t) };
  const figures = callFigures(call, t, i18n.language).map((figure) => `· ${figure}`);
  return { lead: <CallLink entry={entry} ended={call.ended} />, words: figures.join(" ") || "·" };
}

export function EntryLine({ entry }: { entry: Entry }) {
  const { t, i18n } = useTranslation();
  const look = useTape();
  const [open, setOpen] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const { lead, words } = useWords(entry);
  const gone = look.entry === entry.seq;
  useEffect(() => {
    if (gone) row.current?.scrollIntoView({ block: "center" });
  }, [gone]);
  return (
    <li
      ref={row}
      id={`entry-${entry.seq}`}
      className={classOf(entry, look.call === entry.seq)}
      data-anchor={entry.kind === "anchor" ? entry.seq : undefined}
      aria-current={gone ? "true" : undefined}
    >
      <Place seq={entry.seq} />
      <span className="dot" aria-hidden="true" />
      <div className="entry-body">
        <div className="entry-line">
          <span className="entry-kind">{t(`tape.kind.${entry.kind}`)}</span>
          {lead}
          <button
            type="button"
            className="entry-words"
            data-row={entry.seq}
            aria-expanded={open}
            lang={languageOf(words)}
            dir="auto"
            onClick={() => setOpen(!open)}
          >
            {words}
          </button>
          <time dateTime={entry.date}>{stamp(entry.date, i18n.language)}</time>
        </div>
        <EntryCorrections entry={entry} />
        {open && <EntryDetail entry={entry} />}
      </div>
    </li>
  );
}
