/** A button with a small panel that opens above or below it; Esc and a press elsewhere close it. */
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Icon } from "./icon";

type Props = { label: ReactNode; panelLabel: string; children: ReactNode };

export function Disclosure({ label, panelLabel, children }: Props) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useId();

  useEffect(() => {
    if (!open) return;
    const onPress = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, [open]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc is heard for whatever inside has the focus.
    <div
      className="disclosure"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.preventDefault();
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        type="button"
        className="quiet"
        ref={button}
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        {label}
        <Icon name="down" />
      </button>
      <fieldset className="menu" id={panel} hidden={!open} aria-label={panelLabel}>
        {children}
      </fieldset>
    </div>
  );
}
