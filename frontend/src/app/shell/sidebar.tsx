/** Navigation on wide screens: new topic, pages, language, theme, the person. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Brand } from "@/components/brand";
import { Icon } from "@/components/icon";
import { factsQuery } from "@/features/facts/api/list-facts";
import { switchTheme } from "@/lib/theme";
import { count } from "@/lib/wording";
import { useLanguageSwitch } from "./language-switch";
import { type NavLink, useIsUnder, useNavLinks, useReviews } from "./nav-links";
import { Person } from "./person";
import { useTapeInView } from "./tape-in-view";

/** How many facts wait for those who review them. */
function ToReview() {
  const { t, i18n } = useTranslation();
  const query = { ...factsQuery({ state: "review" }), enabled: useReviews(), staleTime: 60_000 };
  const waiting = useInfiniteQuery(query).data?.pages[0]?.counts.review ?? 0;
  if (waiting === 0) return null;
  return (
    <span className="nav-count">
      <span className="hidden">{t("facts.state.review")}</span> {count(waiting, i18n.language)}
    </span>
  );
}

function NavGroup({ links }: { links: NavLink[] }) {
  const { t } = useTranslation();
  const tape = useTapeInView();
  const isUnder = useIsUnder();
  return (
    <ul className="nav">
      {links.map((link) => (
        <li key={link.to}>
          <Link
            to={link.to}
            search={link.to === "/tapes" && tape ? { tape } : {}}
            activeOptions={{ exact: link.to === "/", includeSearch: false }}
            aria-current={isUnder(link.to) ? "page" : undefined}
          >
            <Icon name={link.icon} large />
            {t(link.text)}
            {link.to === "/facts" && <ToReview />}
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
        <NavGroup links={navLinks.slice(0, 4)} />
        <NavGroup links={navLinks.slice(4)} />
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
