/** The bar at the top of a phone: the name, language, theme, the way out. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Brand } from "@/components/brand";
import { Icon } from "@/components/icon";
import { switchTheme } from "@/lib/theme";
import { useLanguageSwitch } from "./language-switch";
import { SignOutButton } from "./sign-out-button";

export function TopBar() {
  const { t } = useTranslation();
  const { switchIt } = useLanguageSwitch();
  return (
    <header className="top-bar">
      <Link className="brand" to="/">
        <Brand />
      </Link>
      <button
        type="button"
        className="icon-button"
        aria-label={t("nav.switchLanguage")}
        onClick={switchIt}
      >
        <Icon name="language" large />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={t("nav.switchTheme")}
        onClick={switchTheme}
      >
        <Icon name="theme" large />
      </button>
      <SignOutButton />
    </header>
  );
}
