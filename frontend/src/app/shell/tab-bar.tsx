/** Navigation at the bottom of a phone: the first pages, and a sheet with the rest where there are more than fit. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { Sheet } from "@/components/sheet";
import { type NavLink, useIsUnder, useNavLinks } from "./nav-links";
import { useTapeInView } from "./tape-in-view";

/** So many stand side by side at 360 px with their whole names. */
const PLACES = 5;

function Tab({ link, onGo }: { link: NavLink; onGo?: () => void }) {
  const { t } = useTranslation();
  const tape = useTapeInView();
  const isUnder = useIsUnder();
  return (
    <Link
      to={link.to}
      search={link.to === "/tapes" && tape ? { tape } : {}}
      activeOptions={{ exact: link.to === "/", includeSearch: false }}
      aria-current={isUnder(link.to) ? "page" : undefined}
      onClick={onGo}
    >
      <Icon name={link.icon} large />
      {t(onGo ? link.text : link.short)}
    </Link>
  );
}

function MoreSheet({ links, onClose }: { links: NavLink[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Sheet title={t("nav.more")} className="tab-sheet" onClose={onClose}>
      <ul className="nav">
        {links.map((link) => (
          <li key={link.to}>
            <Tab link={link} onGo={onClose} />
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

export function TabBar() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const links = useNavLinks();
  const fit = links.length > PLACES ? PLACES - 1 : PLACES;
  return (
    <nav className="tab-bar" aria-label={t("nav.main")}>
      {links.slice(0, fit).map((link) => (
        <Tab key={link.to} link={link} />
      ))}
      {links.length > fit && (
        <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Icon name="more" large />
          {t("nav.more")}
        </button>
      )}
      {open && <MoreSheet links={links.slice(fit)} onClose={() => setOpen(false)} />}
    </nav>
  );
}
