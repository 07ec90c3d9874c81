/** Navigation on wide screens: new topic, pages, language, theme, the person. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Brand } from "@/components/brand";
import { Icon } from "@/components/icon";
import { switchTheme } from "@/lib/theme";
import { useLanguageSwitch } from "./language-switch";
import { type NavLink, useNavLinks } from "./nav-links";
import { Person } from "./person";
import { useTapeInView } from "./tape-in-view";

function NavGroup({ links }: { links: NavLink[] }) {
  const { t } = useTranslation();
  const tape = useTapeInView();
  return (
    <ul className="nav">
      {links.map((link) => (
        <li key={link.to}>
          <Link
            to={link.to}
            search={link.to === "/tapes" && tape ? { tape } : {}}
            activeOptions={{ exact: link.to === "/", includeSearch: false }}
          >
            <Icon name={link.icon} large />
            {t(link.text)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function Sidebar({ onKeys }: { onKeys: () => void }) {
  const { t } = useTranslation();
  const tape = useTapeInView();
  const navLinks = useNavLinks();
  const { otherLocale, switchIt } = useLanguageSwitch();
  return (
    <nav className="side" aria-label={t("nav.main")}>
      <Link className="brand" to="/">
        <Brand />
      </Link>
      <Link className="button primary" to="/" search={tape ? { tape } : {}}>
        <Icon name="plus" />
        {t("nav.newTopic")}
      </Link>
      <div>
        <NavGroup links={navLinks.slice(0, 3)} />
        <NavGroup links={navLinks.slice(3)} />
      </div>
      <div className="side-foot">
        <button type="button" className="side-tool" onClick={onKeys}>
          <Icon name="keyboard" large />
          {t("nav.shortcuts")}
        </button>
        <button type="button" className="side-tool" onClick={switchIt}>
          <Icon name="language" large />
          <span lang={otherLocale}>{t("nav.otherLanguage")}</span>
        </button>
        <button type="button" className="side-tool" onClick={switchTheme}>
          <Icon name="theme" large />
          {t("nav.theme")}
        </button>
        <Person />
      </div>
    </nav>
  );
}
