/** A table that scrolls sideways by itself where the page is too narrow for it. */
import type { ReactNode } from "react";

export function ScrollingTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled.
    <section className="table-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
