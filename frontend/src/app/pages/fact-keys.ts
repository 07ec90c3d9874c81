/** Reviewing by keyboard: J and K move over the facts; A accepts, E edits, R rejects the one in focus. */
import { useShortcuts } from "@/lib/keys";
import { useRowKeys } from "./row-keys";

function press(act: "accept" | "edit" | "reject"): void {
  const card = document.activeElement?.closest("[data-fact]");
  card?.querySelector<HTMLButtonElement>(`[data-act="${act}"]`)?.click();
}

export function useFactKeys(): void {
  useRowKeys();
  useShortcuts({
    a: () => press("accept"),
    e: () => press("edit"),
    r: () => press("reject"),
  });
}
