/** The browser's title for the page in view. */
import { useEffect } from "react";

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · KB Agent` : "KB Agent";
  }, [title]);
}
