/** Opens the sheet in which the owner of a topic or a view says who else may read it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import type { Subject } from "../api/shares";
import { ShareSheet } from "./share-sheet";

type Props = { subject: Subject; shared: boolean };

export function ShareButton({ subject, shared }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="quiet"
        aria-label={t("share.share")}
        onClick={() => setOpen(true)}
      >
        <Icon name="share" />
        <span className="only-wide">{shared ? t("share.shared") : t("share.share")}</span>
      </button>
      {open && <ShareSheet subject={subject} onClose={() => setOpen(false)} />}
    </>
  );
}
