/** Opens the sheet in which a topic's owner says who else may read it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TopicDetail } from "@/api/types";
import { Icon } from "@/components/icon";
import { ShareSheet } from "./share-sheet";

export function ShareButton({ topic }: { topic: TopicDetail }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!topic.mine) return null;
  return (
    <>
      <button
        type="button"
        className="quiet"
        aria-label={t("share.share")}
        onClick={() => setOpen(true)}
      >
        <Icon name="share" />
        <span className="only-wide">{topic.shared ? t("share.shared") : t("share.share")}</span>
      </button>
      {open && <ShareSheet topic={topic.id} onClose={() => setOpen(false)} />}
    </>
  );
}
