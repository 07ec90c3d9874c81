/** A draft that survives reloads and an expired sign-in, kept on this device. */
import { useCallback, useState } from "react";
import { recall, remember } from "@/lib/remembered";

export function useDraft(place: string): [string, (text: string) => void] {
  const key = `draft:${place}`;
  const [draft, setDraft] = useState({ key, text: recall(key) ?? "" });
  const text = draft.key === key ? draft.text : (recall(key) ?? "");
  const change = useCallback(
    (next: string) => {
      remember(key, next);
      setDraft({ key, text: next });
    },
    [key],
  );
  return [text, change];
}
