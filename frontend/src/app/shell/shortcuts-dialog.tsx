/** The keyboard table, and the switch that turns single letters off. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "@/components/dialog";
import { Icon } from "@/components/icon";
import { setSingleKeys, singleKeysOn } from "@/lib/keys";

const rows = [
  { keys: ["/"], does: "keys.search" },
  { keys: ["Ctrl/⌘ K"], does: "keys.goTo" },
  { keys: ["Enter", "Shift Enter"], does: "keys.ask" },
  { keys: ["Esc"], does: "keys.escape" },
  { keys: ["Esc Esc"], does: "keys.stop" },
  { keys: ["1", "…", "9"], does: "keys.open" },
  { keys: ["[", "]"], does: "keys.step" },
  { keys: ["J", "K", "Enter"], does: "keys.move" },
  { keys: ["X"], does: "keys.select" },
  { keys: ["N"], does: "keys.newTopic" },
  { keys: ["?"], does: "keys.help" },
] as const;

function KeyTable() {
  const { t } = useTranslation();
  return (
    <table>
      <tbody>
        {rows.map((row) => (
          <tr key={row.does}>
            <th scope="row">
              {row.keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </th>
            <td>{t(row.does)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [on, setOn] = useState(singleKeysOn);
  return (
    <Dialog label={t("keys.title")} onClose={onClose}>
      <div className="row">
        <h2 className="grow">{t("keys.title")}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={t("keys.close")}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      <KeyTable />
      <label className="row menu-item">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => {
            setSingleKeys(event.target.checked);
            setOn(event.target.checked);
          }}
        />
        {t("keys.single")}
      </label>
    </Dialog>
  );
}
