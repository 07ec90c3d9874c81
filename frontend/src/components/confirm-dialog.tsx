/** Asks before something goes for good, and says what goes with it. */
import { useTranslation } from "react-i18next";
import { Sheet } from "./sheet";
import { Trouble } from "./trouble";

type Props = {
  title: string;
  text: string;
  act: string;
  busy: boolean;
  trouble: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

export function ConfirmDialog({ title, text, act, busy, trouble, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Sheet title={title} onClose={onClose}>
      <p>{text}</p>
      <Trouble text={trouble} />
      <div className="row form-end">
        <button type="button" className="quiet" onClick={onClose}>
          {t("form.cancel")}
        </button>
        <button type="button" className="button stop" disabled={busy} onClick={onConfirm}>
          {act}
        </button>
      </div>
    </Sheet>
  );
}
