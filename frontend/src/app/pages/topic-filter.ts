/** The topic list's filter: it lives in the address, and typing settles before it does. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import type { TopicFilter } from "@/features/topics/api/list-topics";
import { type ListFilter, unpriced } from "@/features/topics/words/choices";
import { useSettled } from "@/lib/settled";

/** The start of the day so many days ago, so that the same filter stays the same all day. */
function daysAgo(days: number): string {
  const start = new Date();
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() - days);
  return start.toISOString();
}

function asked(q: string, { whose, status, repository, days, cost }: ListFilter) {
  const wanted: TopicFilter = {
    ...(q ? { q } : {}),
    ...(whose ? { whose } : {}),
    ...(status ? { status } : {}),
    ...(repository ? { repository } : {}),
    ...(days ? { since: daysAgo(days) } : {}),
    ...(cost === unpriced ? { unpriced: true } : {}),
    ...(cost && cost !== unpriced ? { cost_at_least: cost } : {}),
  };
  return wanted;
}

export function useTopicFilter() {
  const { q = "", ...filter } = useSearch({ from: "/shell/topics" });
  const navigate = useNavigate({ from: "/topics" });
  const [text, setText] = useState(q);
  const settled = useSettled(text.trim(), 150);
  useEffect(() => {
    void navigate({
      search: (before) => ({ ...before, q: settled || undefined }),
      replace: true,
    });
  }, [settled, navigate]);
  const change = (changed: ListFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const clear = () => {
    setText("");
    void navigate({ search: {}, replace: true });
  };
  const { whose, status, repository, days, cost } = filter;
  const wanted = useMemo(
    () => asked(q, { whose, status, repository, days, cost }),
    [q, whose, status, repository, days, cost],
  );
  return { q, filter, wanted, text, setText, change, clear };
}
