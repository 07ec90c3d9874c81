/** Who has it now, each with the way to take it back. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Share } from "@/api/types";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { problemText } from "@/lib/problems";
import { moment } from "@/lib/wording";
import type { Sharing } from "./use-sharing";

function useName() {
  const { t } = useTranslation();
  return (share: Share): string => {
    if (share.kind === "company") return t("share.everyone");
    if (share.kind === "link") return t("share.aLink");
    return share.person?.display_name ?? share.group?.name ?? "";
  };
}

function ShareRow({ share, onTakeBack }: { share: Share; onTakeBack: () => void }) {
  const { t, i18n } = useTranslation();
  const name = useName()(share);
  return (
    <li className="row">
      <span className="grow">
        <span dir="auto">{name}</span>
        <span className="small muted dotted share-facts">
          {share.kind === "group" && <span>{t("share.group")}</span>}
          {share.kind === "link" && <span>{t("share.visits", { count: share.visits })}</span>}
          {share.expires_at && (
            <span>{t("share.until", { time: moment(share.expires_at, i18n.language) })}</span>
          )}
        </span>
      </span>
      <button
        type="button"
        className="quiet"
        aria-label={t("share.takeBackFrom", { name })}
        onClick={onTakeBack}
      >
        {t("share.takeBack")}
      </button>
    </li>
  );
}

export function ShareList({ sharing }: { sharing: Sharing }) {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState<Share | null>(null);
  const nameOf = useName();
  const { held, unshare } = sharing;
  return (
    <div className="share-part">
      <h3>{t("share.has")}</h3>
      {held.length === 0 && <p className="small-text muted">{t("share.onlyYou")}</p>}
      <ul className="share-list">
        {held.map((share) => (
          <ShareRow key={share.id} share={share} onTakeBack={() => setLeaving(share)} />
        ))}
      </ul>
      {leaving && (
        <ConfirmDialog
          title={t("share.takeBackTitle", { name: nameOf(leaving) })}
          text={t(`share.${sharing.kind}.takeBackText`)}
          act={t("share.takeBack")}
          busy={unshare.isPending}
          trouble={unshare.error ? problemText(unshare.error, t) : null}
          onClose={() => setLeaving(null)}
          onConfirm={() => unshare.mutate(leaving.id, { onSuccess: () => setLeaving(null) })}
        />
      )}
    </div>
  );
}
