/** Pushes as they happen: an address and a secret for the git server; the secret is shown once. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Repository, Webhook } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { Sheet } from "@/components/sheet";
import { Trouble } from "@/components/trouble";
import { switchWebhookOff, switchWebhookOn } from "../api/switch-webhook";
import { useChange } from "./use-change";

const servers = [
  { key: "github", name: "GitHub" },
  { key: "gitlab", name: "GitLab" },
  { key: "gitee", name: "Gitee" },
] as const;

function WebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  const parts = [
    ...servers.map(({ key, name }) => ({
      name,
      text: new URL(webhook.urls[key], window.location.origin).href,
    })),
    { name: t("repositories.webhookSecret"), text: webhook.secret },
  ];
  return (
    <Sheet title={t("repositories.webhookTitle")} className="wide" onClose={onClose}>
      <p className="small-text muted">{t("repositories.webhookHint")}</p>
      <dl className="copied">
        {parts.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="row">
              <code className="grow">{text}</code>
              <CopyButton text={text} label={t("evidence.copy")} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="small warn-words">{t("repositories.webhookOnce")}</p>
    </Sheet>
  );
}

export function WebhookRow({ repository }: { repository: Repository }) {
  const { t } = useTranslation();
  const [webhook, setWebhook] = useState<Webhook | null>(null);
  const on = useChange(switchWebhookOn, setWebhook);
  const off = useChange(switchWebhookOff);
  return (
    <div className="setting">
      <span>
        {t("repositories.webhook")}
        <span className="small muted setting-hint">
          {repository.webhook ? t("repositories.webhookOn") : t("repositories.webhookOff")}
        </span>
      </span>
      <span className="row">
        {repository.webhook && (
          <button
            type="button"
            className="quiet"
            disabled={off.isPending}
            onClick={() => off.mutate(repository.id)}
          >
            {t("repositories.webhookStop")}
          </button>
        )}
        <button
          type="button"
          className="button small-button"
          disabled={on.isPending}
          onClick={() => on.mutate(repository.id)}
        >
          {repository.webhook ? t("repositories.webhookNew") : t("repositories.webhookStart")}
        </button>
      </span>
      <Trouble text={on.trouble ?? off.trouble} />
      {webhook && <WebhookDialog webhook={webhook} onClose={() => setWebhook(null)} />}
    </div>
  );
}
