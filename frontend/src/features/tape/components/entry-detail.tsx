/** The whole of an entry: its words or payload, who wrote it and why, and what can be done with it. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Entry } from "@/api/types";
import { Icon } from "@/components/icon";
import { LongOutput } from "@/components/long-output";
import { number, object, objects, text } from "@/lib/read";
import { languageOf, moment } from "@/lib/wording";
import { isErased } from "../words/entry-words";
import { passagesOf } from "../words/payload-text";
import { actorWords } from "../words/people";
import { useTape } from "./tape-context";

function Passages({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  if (entry.withheld) {
    return (
      <p className="row muted">
        <Icon name="lock" />
        {t("tape.withheldHint")}
      </p>
    );
  }
  if (isErased(entry)) return <p className="muted">{t("tape.erasedHint")}</p>;
  return passagesOf(entry).map((passage, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: passages of one entry never change places.
    <div key={index}>
      {passage.name && <p className="small muted mono">{passage.name}</p>}
      {passage.code ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled.
        <pre className="passage" tabIndex={0}>
          {passage.text}
        </pre>
      ) : (
        <p className="passage" lang={languageOf(passage.text)} dir="auto">
          {passage.text}
        </p>
      )}
    </div>
  ));
}

function Origin({ entry }: { entry: Entry }) {
  const { t, i18n } = useTranslation();
  const { people } = useTape();
  return (
    <p className="small muted dotted">
      <time dateTime={entry.date}>{moment(entry.date, i18n.language)}</time>
      <span>{actorWords(entry.actor, people, t)}</span>
      {entry.why && <span dir="auto">{entry.why}</span>}
      {entry.turn !== null && <span>{t("tape.turn", { number: entry.turn })}</span>}
      {entry.fork !== null && <span>{t("tape.fork", { number: entry.fork })}</span>}
    </p>
  );
}

function Acts({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const { mayWrite, onCorrect, onAskFrom } = useTape();
  const written = !entry.withheld && !isErased(entry);
  return (
    <div className="row wrap entry-acts">
      {mayWrite && entry.kind === "message" && written && (
        <button type="button" className="quiet" onClick={() => onCorrect(entry)}>
          <Icon name="pen" />
          {t("tape.correct")}
        </button>
      )}
      {mayWrite && entry.kind === "anchor" && (
        <button type="button" className="quiet" onClick={() => onAskFrom(entry.seq)}>
          <Icon name="tape" />
          {t("tape.askFrom")}
        </button>
      )}
      {entry.topic !== null && (
        <Link className="quiet" to="/topics/$topic" params={{ topic: String(entry.topic) }}>
          <Icon name="topics" />
          {t("tape.toTopic")}
        </Link>
      )}
    </div>
  );
}

/** What of a tool's results was too long for the entry. */
function Outputs({ entry }: { entry: Entry }) {
  if (entry.withheld || entry.kind !== "tool_result") return null;
  const kept = objects(object(entry.payload).results).map((result) => ({
    tape: entry.tape,
    seq: entry.seq,
    call: text(result.id),
    pages: number(object(result.spill).pages) ?? 0,
    chars: number(object(result.spill).chars) ?? 0,
  }));
  return kept
    .filter((each) => each.pages > 1)
    .map((each) => (
      <p key={each.call} className="small">
        <LongOutput output={each} />
      </p>
    ));
}

export function EntryDetail({ entry }: { entry: Entry }) {
  return (
    <div className="entry-detail">
      <Passages entry={entry} />
      <Outputs entry={entry} />
      <Origin entry={entry} />
      <Acts entry={entry} />
    </div>
  );
}
