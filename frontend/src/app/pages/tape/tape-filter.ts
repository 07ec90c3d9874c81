/** What the tape page is narrowed to and looks at: it lives in the address. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSettled } from "@/lib/settled";

export function useTapeFilter() {
  const search = useSearch({ from: "/shell/tapes/$tape" });
  const navigate = useNavigate({ from: "/tapes/$tape" });
  const [text, setText] = useState(search.q ?? "");
  const settled = useSettled(text.trim(), 200);
  const change = useCallback(
    (next: Partial<typeof search>, replace = true) =>
      void navigate({
        to: ".",
        search: (before) => ({ ...before, ...next }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const first = useRef(true);
  useEffect(() => {
    // The address is as it should be when the page opens.
    if (first.current) {
      first.current = false;
      return;
    }
    change({ q: settled || undefined });
  }, [settled, change]);
  return { search, text, setText, change };
}
