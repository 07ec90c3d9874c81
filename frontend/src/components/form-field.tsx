/** A labelled field of a form, with its hint and what is wrong with it. */
import { type ComponentProps, useId } from "react";
import { Trouble } from "./trouble";

type Own = { label: string; hint?: string; trouble?: string | null };

type InputProps = Own & Omit<ComponentProps<"input">, "id">;

function useIds({ hint, trouble }: Own) {
  const id = useId();
  const told = [hint ? `${id}-hint` : "", trouble ? `${id}-trouble` : ""].filter(Boolean).join(" ");
  return { id, described: told || undefined };
}

export function FormField({ label, hint, trouble = null, ...input }: InputProps) {
  const { id, described } = useIds({ label, hint, trouble });
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      <input
        type="text"
        dir="auto"
        {...input}
        id={id}
        aria-describedby={described}
        aria-invalid={trouble ? true : undefined}
      />
      {hint && (
        <p className="small muted" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Trouble text={trouble} id={`${id}-trouble`} />
    </div>
  );
}

type AreaProps = Own & Omit<ComponentProps<"textarea">, "id">;

export function FormArea({ label, hint, trouble = null, ...area }: AreaProps) {
  const { id, described } = useIds({ label, hint, trouble });
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      <textarea
        dir="auto"
        {...area}
        id={id}
        aria-describedby={described}
        aria-invalid={trouble ? true : undefined}
      />
      {hint && (
        <p className="small muted" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Trouble text={trouble} id={`${id}-trouble`} />
    </div>
  );
}
