/** The vocabulary's filter: it lives in the address, and typing settles before it does. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { TermFilter } from "@/features/vocabulary/api/list-terms";
import { useSettled } from "@/lib/settled";

export function useTermFilter() {
  const { q = "", source, repository, adding } = useSearch({ from: "/shell/vocabulary" });
  const navigate = useNavigate({ from: "/vocabulary" });
  const [text, setText] = useState(q);
  const settled = useSettled(text.trim(), 200);
  useEffect(() => {
    void navigate({ search: (before) => ({ ...before, q: settled || undefined }), replace: true });
  }, [settled, navigate]);
  const set = (change: Pick<TermFilter, "source" | "repository">) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const chosen = {
    ...(q ? { q } : {}),
    ...(source ? { source } : {}),
    ...(repository ? { repository } : {}),
  };
  return { chosen, text, setText, set, adding };
}
