/** The lines of a file at a commit, the cited ones marked and scrolled to. */
import { useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { EvidenceLines } from "@/api/types";
import { CodeLine } from "@/components/code-line";
import { useHighlighted } from "@/lib/use-highlighted";

export function CodeTable({ evidence }: { evidence: EvidenceLines }) {
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const code = useMemo(() => evidence.lines.map((line) => line.text).join("\n"), [evidence.lines]);
  const coloured = useHighlighted(code, evidence.language, evidence.path);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another place scrolls anew.
  useLayoutEffect(() => {
    const first = box.current?.querySelector<HTMLElement>("tr.cited");
    if (first && box.current) box.current.scrollTop = Math.max(0, first.offsetTop - 96);
  }, [evidence.id]);

  const label = t("evidence.marked", { start: evidence.start_line, end: evidence.end_line });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled.
    <section className="code" ref={box} tabIndex={0} aria-label={label} translate="no">
      <table>
        <tbody>
          {evidence.lines.map((line, index) => (
            <tr key={line.number} className={line.cited ? "cited" : ""} data-line={line.number}>
              <td>{line.number}</td>
              <td>
                <CodeLine text={line.text} tokens={coloured?.[index]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
