/** A fork that is not merged: set apart, since no default view shows it. */
import { useTranslation } from "react-i18next";
import type { Entry, Fork } from "@/api/types";
import { Icon } from "@/components/icon";
import { Trouble } from "@/components/trouble";
import { object, text } from "@/lib/read";
import { closeSideLine } from "../api/close-side-line";
import { EntryLine } from "./entry-line";
import { useTape } from "./tape-context";
import { useTapeAct } from "./use-tape-act";

function noteOf(entries: Entry[]): string {
  const opening = entries.find((each) => text(object(each.payload).name) === "side_line");
  return text(object(object(opening?.payload).data).note);
}

/** A side line, which no turn writes on, is its owner's to merge or discard. */
function Closing({ fork }: { fork: Fork }) {
  const { t } = useTranslation();
  const { tape } = useTape();
  const close = useTapeAct((how: "merge" | "discard") => closeSideLine(tape.id, fork.id, how));
  return (
    <>
      <Trouble text={close.trouble} />
      <button
        type="button"
        className="quiet"
        disabled={close.isPending}
        onClick={() => close.mutate("merge")}
      >
        {t("tape.merge")}
      </button>
      <button
        type="button"
        className="quiet"
        disabled={close.isPending}
        onClick={() => close.mutate("discard")}
      >
        {t("tape.discard")}
      </button>
    </>
  );
}

export function ForkInset({ fork, entries }: { fork: Fork; entries: Entry[] }) {
  const { t } = useTranslation();
  const { mayWrite } = useTape();
  const note = noteOf(entries);
  const sideLine = fork.state === "open" && fork.turn === null;
  return (
    <li className="forked" data-fork={fork.id}>
      <div className="row wrap forked-head small-text">
        <Icon name="branch" />
        <b>{t("tape.fork", { number: fork.id })}</b>
        <span className="tag">{t(`tape.forkState.${fork.state}`)}</span>
        <span className="muted grow" dir="auto">
          {[note, t("tape.forkHidden")].filter(Boolean).join(" ")}
        </span>
        {mayWrite && sideLine && <Closing fork={fork} />}
      </div>
      <ol>
        {entries.map((entry) => (
          <EntryLine key={entry.seq} entry={entry} />
        ))}
      </ol>
    </li>
  );
}
