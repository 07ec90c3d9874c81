/** The ways between the pages of administrators that look after topics. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

export function AdministrationTabs() {
  const { t } = useTranslation();
  return (
    <nav className="filters page-tabs" aria-label={t("administration.title")}>
      <Link className="chip" to="/administration/hooks">
        {t("hooks.title")}
      </Link>
      <Link className="chip" to="/administration/open-topics">
        {t("openTopics.title")}
      </Link>
    </nav>
  );
}
