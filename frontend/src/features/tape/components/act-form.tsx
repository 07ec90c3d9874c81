/** The form of an act on a tape: fields, what went wrong, the way back, the press. */
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Sheet } from "@/components/sheet";
import { Trouble } from "@/components/trouble";

type Props = {
  title: string;
  hint?: string;
  act: string;
  busy: boolean;
  trouble: string | null;
  children: ReactNode;
  onSubmit: (said: (name: string) => string) => void;
  onClose: () => void;
};

export function ActForm({ title, hint, act, busy, trouble, children, onSubmit, onClose }: Props) {
  const { t } = useTranslation();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    onSubmit((name) => String(fields.get(name) ?? "").trim());
  };
  return (
    <Sheet title={title} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        {hint && <p className="small-text muted">{hint}</p>}
        {children}
        <Trouble text={trouble} />
        <div className="row form-end">
          <button type="button" className="quiet" onClick={onClose}>
            {t("form.cancel")}
          </button>
          <button type="submit" className="button primary" disabled={busy}>
            {act}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
