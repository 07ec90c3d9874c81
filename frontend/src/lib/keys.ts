/** Keyboard shortcuts of the page: off while typing, while composing, and when switched off. */
import { useEffect, useRef } from "react";
import { recall, remember } from "./remembered";

export type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

export function singleKeysOn(): boolean {
  return recall("single-keys") !== "off";
}

export function setSingleKeys(on: boolean): void {
  remember("single-keys", on ? "" : "off");
}

export function isComposing(event: KeyboardEvent): boolean {
  // 229 is what some browsers send for the very key press that ends a composition.
  return event.isComposing || event.keyCode === 229;
}

function isTyping(): boolean {
  const element = document.activeElement;
  if (element instanceof HTMLInputElement) return element.type !== "checkbox";
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
}

function nameOf(event: KeyboardEvent): string {
  const command = event.ctrlKey || event.metaKey ? "Mod+" : "";
  return command + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
}

function isSilenced(event: KeyboardEvent): boolean {
  if (event.altKey || isComposing(event)) return true;
  if (event.key === "Escape" || event.ctrlKey || event.metaKey) return false;
  if (document.querySelector("dialog[open]")) return true;
  return isTyping() || (event.key.length === 1 && !singleKeysOn());
}

export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const act = latest.current[nameOf(event)];
      if (!act || event.defaultPrevented || isSilenced(event)) return;
      act(event);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
