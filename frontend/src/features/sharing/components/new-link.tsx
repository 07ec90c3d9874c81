/** Makes a link for people who are signed in; it is shown once. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyButton } from "@/components/copy-button";
import { Icon } from "@/components/icon";
import type { Sharing } from "./use-sharing";

const day = 24 * 60 * 60 * 1000;
const lasts = { day, week: 7 * day, month: 30 * day, always: 0 } as const;

type Lasting = keyof typeof lasts;

function endOf(lasting: Lasting): string | null {
  const time = lasts[lasting];
  return time ? new Date(Date.now() + time).toISOString() : null;
}

function Made({ token }: { token: string }) {
  const { t } = useTranslation();
  const address = `${window.location.origin}/s/${token}`;
  return (
    <div className="row wrap">
      <input
        type="text"
        readOnly
        className="grow mono plain-input"
        aria-label={t("share.link")}
        value={address}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={address} label={t("share.copy")} />
      <p className="small muted" role="status">
        {t("share.once")}
      </p>
    </div>
  );
}

export function NewLink({ sharing }: { sharing: Sharing }) {
  const { t } = useTranslation();
  const id = useId();
  const [lasting, setLasting] = useState<Lasting>("week");
  const [token, setToken] = useState("");
  const make = () =>
    sharing.share.mutate(
      { kind: "link", expires_at: endOf(lasting) },
      { onSuccess: (made) => setToken(made.token) },
    );
  return (
    <div className="share-part">
      <h3>{t("share.link")}</h3>
      <p className="small muted">{t(`share.${sharing.kind}.linkHint`)}</p>
      <div className="row wrap">
        <label htmlFor={id}>{t("share.lasts")}</label>
        <select
          id={id}
          className="select"
          value={lasting}
          onChange={(event) => setLasting(event.target.value as Lasting)}
        >
          {(Object.keys(lasts) as Lasting[]).map((each) => (
            <option key={each} value={each}>
              {t(`share.for.${each}`)}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="button small-button"
          disabled={sharing.share.isPending}
          onClick={make}
        >
          <Icon name="link" />
          {t("share.makeLink")}
        </button>
      </div>
      {token && <Made token={token} />}
    </div>
  );
}
