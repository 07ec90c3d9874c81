/** The topic list's filter: it lives in the address, and typing settles before it does. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { TopicStatus } from "@/api/types";
import { useSettled } from "@/lib/settled";

export function useTopicFilter() {
  const { q = "", status } = useSearch({ from: "/shell/topics" });
  const navigate = useNavigate({ from: "/topics" });
  const [text, setText] = useState(q);
  const settled = useSettled(text.trim(), 150);
  useEffect(() => {
    void navigate({
      search: (before) => ({ ...before, q: settled || undefined }),
      replace: true,
    });
  }, [settled, navigate]);
  const setStatus = (next?: TopicStatus) =>
    navigate({ search: (before) => ({ ...before, status: next }), replace: true });
  return { q, status, text, setText, setStatus };
}
