/** A modal sheet on the browser's own dialog: it traps focus, closes on Esc, and gives focus back. */
import { type ReactNode, useEffect, useRef } from "react";
import { createPortal } from "react-dom";

type Props = { label: string; className?: string; onClose: () => void; children: ReactNode };

export function Dialog({ label, className = "", onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  // At the end of the page, so that it takes no look from wherever it was opened.
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself; the click is the way out by pointer.
    <dialog
      ref={dialog}
      aria-label={label}
      className={className}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>,
    document.body,
  );
}
