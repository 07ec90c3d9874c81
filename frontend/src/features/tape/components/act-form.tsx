/** The form of an act on a tape: what it will do, its fields, what went wrong. */
import type { ReactNode } from "react";
import { FormSheet } from "@/components/form-sheet";
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

export function ActForm({ hint, busy, trouble, children, onSubmit, ...sheet }: Props) {
  const submit = (form: HTMLFormElement) => {
    const fields = new FormData(form);
    onSubmit((name) => String(fields.get(name) ?? "").trim());
  };
  return (
    <FormSheet {...sheet} disabled={busy} onSubmit={submit}>
      {hint && <p className="small-text muted">{hint}</p>}
      {children}
      <Trouble text={trouble} />
    </FormSheet>
  );
}
