/** J and K move the focus over the rows of a list, X selects; Enter opens, as it does for any link. */
import { useShortcuts } from "@/lib/keys";

function move(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const now = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[now < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, now + by))];
  next?.focus();
}

function select(): void {
  const row = document.activeElement?.closest("li");
  row?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
}

export function useRowKeys(): void {
  useShortcuts({ j: () => move(1), k: () => move(-1), x: select });
}
