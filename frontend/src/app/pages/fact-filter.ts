/** The filter of facts: it lives in the address, and typing settles before it does. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useSettled } from "@/lib/settled";

export function useFactFilter() {
  const { q = "", ...search } = useSearch({ from: "/shell/facts" });
  const navigate = useNavigate({ from: "/facts" });
  const [text, setText] = useState(q);
  const settled = useSettled(text.trim(), 200);
  useEffect(() => {
    void navigate({ search: (before) => ({ ...before, q: settled || undefined }), replace: true });
  }, [settled, navigate]);
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return { chosen: { ...search, ...(q ? { q } : {}) }, text, setText, set };
}
