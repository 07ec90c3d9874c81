/** Completes names while a question is written: what is offered, and what picking one does. */
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useOptions } from "@/components/option-list";
import { completionsQuery } from "../api/complete";
import { completed, type Trigger, triggerAt } from "./trigger";

type Given = {
  text: string;
  box: RefObject<HTMLTextAreaElement | null>;
  onChange: (text: string) => void;
};

function useOffers(trigger: Trigger | null) {
  const { data = [] } = useQuery({
    ...completionsQuery(trigger?.kind ?? "person", trigger?.words ?? ""),
    enabled: trigger !== null,
  });
  return trigger ? data : [];
}

export function useCompletion({ text, box, onChange }: Given) {
  const [caret, setCaret] = useState(0);
  const [dismissed, setDismissed] = useState(-1);
  const wanted = useRef<number | null>(null);
  const found = triggerAt(text, caret);
  const trigger = found && found.start !== dismissed ? found : null;
  const items = useOffers(trigger);
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    box.current?.setSelectionRange(wanted.current, wanted.current);
    setCaret(wanted.current);
    wanted.current = null;
  });
  const pick = (index: number) => {
    const item = items[index];
    if (!item || !trigger) return;
    const next = completed(text, caret, trigger, item.written);
    wanted.current = next.caret;
    onChange(next.text);
  };
  const options = useOptions({
    count: items.length,
    onPick: pick,
    onClose: () => setDismissed(trigger?.start ?? -1),
  });
  const follow = () => setCaret(box.current?.selectionStart ?? 0);
  return { items, options, follow, kind: trigger?.kind };
}
