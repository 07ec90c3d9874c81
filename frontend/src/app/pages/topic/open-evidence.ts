/** Which evidence is open: it is in the address, so that Back closes it and a link opens it. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useRef } from "react";

export type OpenEvidence = {
  open: number | null;
  show: (evidence: number) => void;
  close: () => void;
};

export function useOpenEvidence(): OpenEvidence {
  const { evidence } = useSearch({ from: "/shell/topics/$topic" });
  const navigate = useNavigate({ from: "/topics/$topic" });
  const opener = useRef<HTMLElement | null>(null);
  const open = evidence ?? null;

  const go = useCallback(
    (next: number | undefined, replace: boolean) =>
      navigate({
        search: (before) => ({ ...before, evidence: next }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  const show = useCallback(
    (next: number) => {
      const from = document.activeElement;
      if (from instanceof HTMLElement && !from.closest(".panel")) opener.current = from;
      void go(next, open !== null);
    },
    [go, open],
  );
  const close = useCallback(() => {
    void go(undefined, true);
    if (opener.current?.isConnected) opener.current.focus({ preventScroll: true });
  }, [go]);
  return useMemo(() => ({ open, show, close }), [open, show, close]);
}
