/** What can be done with the entries selected. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { MarkDialog } from "./mark-dialog";
import { useTape } from "./tape-context";
import { ViewDialog } from "./view-dialog";

type Props = { onClear: () => void; onView: (id: number) => void };

export function SelectionBar({ onClear, onView }: Props) {
  const { t } = useTranslation();
  const { tape, selected } = useTape();
  const [dialog, setDialog] = useState<"mark" | "view" | null>(null);
  const seqs = [...selected].sort((one, other) => one - other);
  if (seqs.length === 0) return null;
  const range = { first: seqs[0] ?? 1, last: seqs.at(-1) ?? null };
  const close = () => setDialog(null);
  const done = () => {
    close();
    onClear();
  };
  return (
    <div className="selection-bar row wrap" role="toolbar" aria-label={t("tape.selection")}>
      <span className="grow" role="status">
        {t("tape.selected", { count: seqs.length })}
      </span>
      <button type="button" className="button small-button" onClick={() => setDialog("mark")}>
        {t("tape.mark")}
      </button>
      <button type="button" className="button small-button" onClick={() => setDialog("view")}>
        {t("tape.keepAsView")}
      </button>
      <button type="button" className="quiet" onClick={onClear}>
        {t("tape.unselect")}
      </button>
      {dialog === "mark" && (
        <MarkDialog tape={tape.id} seqs={seqs} onClose={close} onMarked={done} />
      )}
      {dialog === "view" && (
        <ViewDialog
          tape={tape.id}
          range={range}
          onClose={close}
          onSaved={(id) => {
            done();
            onView(id);
          }}
        />
      )}
    </div>
  );
}
