/** A dialog with a title, its content, and the way out in the corner. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "./dialog";
import { Icon } from "./icon";

type Props = { title: string; className?: string; onClose: () => void; children: ReactNode };

export function Sheet({ title, className, onClose, children }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog label={title} className={className} onClose={onClose}>
      <div className="row sheet-head">
        <h2 className="grow">{title}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={t("keys.close")}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      {children}
    </Dialog>
  );
}
