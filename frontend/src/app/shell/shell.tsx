/** The frame around every page: navigation, the stream, the keys that work everywhere. */
import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { sessionQuery } from "@/features/session/api/get-session";
import { useShortcuts } from "@/lib/keys";
import { LiveProvider } from "../live/live-provider";
import { GoToDialog } from "./go-to-dialog";
import { Notices } from "./notices";
import { ShortcutsDialog } from "./shortcuts-dialog";
import { Sidebar } from "./sidebar";
import { TabBar } from "./tab-bar";
import { useTapeInView } from "./tape-in-view";
import { TopBar } from "./top-bar";

function focusSearch(event: KeyboardEvent): void {
  const target = document.querySelector<HTMLElement>("[data-search], #question");
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** After going to another page the focus is at its beginning, unless the page put it somewhere. */
function useFocusOnNavigation() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLDivElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    if (!main.current?.contains(document.activeElement))
      main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}

export function Shell() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const tape = useTapeInView();
  const main = useFocusOnNavigation();
  const [dialog, setDialog] = useState<"keys" | "goTo" | null>(null);
  const { data: session } = useQuery(sessionQuery);
  useShortcuts({
    "/": focusSearch,
    "?": () => setDialog("keys"),
    n: (event) => {
      event.preventDefault();
      void navigate({ to: "/", search: tape ? { tape } : {} });
    },
    "Mod+k": (event) => {
      event.preventDefault();
      setDialog("goTo");
    },
  });
  return (
    <LiveProvider>
      <a className="skip" href="#content">
        {t("nav.toContent")}
      </a>
      <div className="shell">
        <Sidebar onKeys={() => setDialog("keys")} />
        <div className="main">
          <TopBar />
          <Notices signedOut={session?.authenticated === false} />
          <div id="content" ref={main} tabIndex={-1}>
            <Outlet />
          </div>
        </div>
        <TabBar />
      </div>
      {dialog === "keys" && <ShortcutsDialog onClose={() => setDialog(null)} />}
      {dialog === "goTo" && <GoToDialog onClose={() => setDialog(null)} />}
    </LiveProvider>
  );
}
