/** The ways between a tape and the named views of tapes. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

export function TapeTabs() {
  const { t } = useTranslation();
  return (
    <nav className="filters page-tabs" aria-label={t("tape.title")}>
      <Link className="chip" to="/tapes" activeOptions={{ includeSearch: false }}>
        {t("tape.title")}
      </Link>
      <Link className="chip" to="/views">
        {t("views.title")}
      </Link>
    </nav>
  );
}
