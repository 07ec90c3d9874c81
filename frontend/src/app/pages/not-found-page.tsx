/** An address that leads nowhere. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { StatePanel } from "@/components/state-panel";

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <main className="page lone">
      <StatePanel
        heading="h1"
        icon="search"
        title={t("states.noPage")}
        text={t("states.noPageHint")}
      >
        <Link className="button primary" to="/">
          {t("states.toAsk")}
        </Link>
      </StatePanel>
    </main>
  );
}
