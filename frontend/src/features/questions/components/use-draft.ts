/** A draft that survives reloads and an expired sign-in, kept on this device. */
import { useCallback, useSyncExternalStore } from "react";
import { recall, remember } from "@/lib/remembered";

/** Drafts of a window without storage. */
const unkept = new Map<string, string>();
const readers = new Set<() => void>();

function keyOf(place: string): string {
  return `draft:${place}`;
}

function read(key: string): string {
  return recall(key) ?? unkept.get(key) ?? "";
}

function write(key: string, text: string): void {
  remember(key, text);
  if ((recall(key) ?? "") === text) unkept.delete(key);
  else unkept.set(key, text);
  for (const tell of readers) tell();
}

function subscribe(tell: () => void): () => void {
  readers.add(tell);
  return () => readers.delete(tell);
}

export function useDraft(place: string): [string, (text: string) => void] {
  const key = keyOf(place);
  const text = useSyncExternalStore(subscribe, () => read(key));
  const change = useCallback((next: string) => write(key, next), [key]);
  return [text, change];
}

/** Puts words into a draft from elsewhere on the page; what is written there already stays. */
export function addToDraft(place: string, words: string): void {
  const key = keyOf(place);
  const written = read(key).trimEnd();
  write(key, written ? `${written}\n${words}` : words);
}
