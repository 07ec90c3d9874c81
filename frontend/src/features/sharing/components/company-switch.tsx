/** Opens it to everyone who may sign in, and closes it again at once. */
import { useTranslation } from "react-i18next";
import type { Sharing } from "./use-sharing";

export function CompanySwitch({ sharing }: { sharing: Sharing }) {
  const { t } = useTranslation();
  const { kind, company, share, unshare, loading } = sharing;
  const change = () => {
    if (company) unshare.mutate(company.id);
    else share.mutate({ kind: "company" });
  };
  return (
    <div className="share-part row">
      <div className="grow">
        <h3 id="share-company">{t("share.company")}</h3>
        <p className="small muted" id="share-company-hint">
          {company ? t("share.companyOn") : t(`share.${kind}.companyOff`)}
        </p>
      </div>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={company !== undefined}
        aria-labelledby="share-company"
        aria-describedby="share-company-hint"
        disabled={loading || share.isPending || unshare.isPending}
        onClick={change}
      >
        <i aria-hidden="true" />
        {company ? t("share.open") : t("share.closed")}
      </button>
    </div>
  );
}
