/** Facts are drawn behind the page's back: what shows them asks anew when the tape tells of one. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Entry } from "@/api/types";
import { askAnew } from "@/lib/ask-anew";
import { object, text } from "@/lib/read";

export function useFactNews(entries: Entry[]): void {
  const cache = useQueryClient();
  const told = entries.filter(
    (each) => each.kind === "event" && text(object(each.payload).name).startsWith("fact_"),
  ).length;
  useEffect(() => {
    if (told > 0) void askAnew(cache, ["facts"]);
  }, [told, cache]);
}
