/** Navigation at the bottom of a phone. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { useNavLinks } from "./nav-links";
import { useTapeInView } from "./tape-in-view";

export function TabBar() {
  const { t } = useTranslation();
  const navLinks = useNavLinks();
  const tape = useTapeInView();
  return (
    <nav className="tab-bar" aria-label={t("nav.main")}>
      {navLinks.map((link) => (
        <Link
          key={link.to}
          to={link.to}
          search={link.to === "/tapes" && tape ? { tape } : {}}
          activeOptions={{ exact: link.to === "/", includeSearch: false }}
        >
          <Icon name={link.icon} large />
          {t(link.short)}
        </Link>
      ))}
    </nav>
  );
}
