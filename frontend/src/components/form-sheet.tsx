/** A dialog that is a form: its fields, the way back, and the press that sends it. */
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Sheet } from "./sheet";

type Props = {
  title: string;
  className?: string;
  /** What the press says, where it does not only save. */
  act?: string;
  /** While it is being sent, or as long as something is missing. */
  disabled: boolean;
  /** The server, not the browser, says what is wrong with a field. */
  noValidate?: boolean;
  onSubmit: (form: HTMLFormElement) => void;
  onClose: () => void;
  children: ReactNode;
};

export function FormSheet(props: Props) {
  const { t } = useTranslation();
  const { title, className, act, disabled, noValidate, onSubmit, onClose, children } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(event.currentTarget);
  };
  return (
    <Sheet title={title} className={className} onClose={onClose}>
      <form className="form" onSubmit={submit} noValidate={noValidate}>
        {children}
        <div className="row form-end">
          <button type="button" className="quiet" onClick={onClose}>
            {t("form.cancel")}
          </button>
          <button type="submit" className="button primary" disabled={disabled}>
            {act ?? t("form.save")}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
