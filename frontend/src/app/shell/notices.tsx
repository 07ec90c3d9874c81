/** What concerns every page: being offline, and a sign-in that has expired. */
import { Link, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { useLive } from "../live/live-context";

export function Notices({ signedOut }: { signedOut: boolean }) {
  const { t } = useTranslation();
  const { connection } = useLive();
  const here = useRouterState({ select: (state) => state.location.href });
  if (signedOut || connection === "signed_out") {
    return (
      <section className="notice key" aria-label={t("states.signedOut")}>
        <Icon name="key" />
        <p className="grow">
          <b>{t("states.signedOut")}</b> {t("states.signedOutHint")}
        </p>
        <Link className="button primary small-button" to="/sign-in" search={{ next: here }}>
          {t("states.signInAgain")}
        </Link>
      </section>
    );
  }
  return (
    <div role="status">
      {connection === "offline" && (
        <p className="notice warn">
          <Icon name="offline" />
          <span className="grow">{t("states.offline")}</span>
        </p>
      )}
    </div>
  );
}
