/** The vocabulary's filter: it lives in the address, and typing settles before it does. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { WordSource } from "@/api/types";
import { useSettled } from "@/lib/settled";

export function useTermFilter() {
  const { q = "", source, repository, adding } = useSearch({ from: "/shell/vocabulary" });
  const navigate = useNavigate({ from: "/vocabulary" });
  const [text, setText] = useState(q);
  const settled = useSettled(text.trim(), 200);
  useEffect(() => {
    void navigate({ search: (before) => ({ ...before, q: settled || undefined }), replace: true });
  }, [settled, navigate]);
  const setSource = (next?: WordSource) =>
    void navigate({ search: (before) => ({ ...before, source: next }), replace: true });
  const setRepository = (next?: number) =>
    void navigate({ search: (before) => ({ ...before, repository: next }), replace: true });
  const chosen = {
    ...(q ? { q } : {}),
    ...(source ? { source } : {}),
    ...(repository ? { repository } : {}),
  };
  return { chosen, text, setText, setSource, setRepository, adding };
}
