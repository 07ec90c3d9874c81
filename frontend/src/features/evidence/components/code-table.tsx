/** The lines of a file at a commit, the cited ones marked and scrolled to; its names can be pressed. */
import { type MouseEvent, useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { EvidenceLines } from "@/api/types";
import { CodeLine } from "@/components/code-line";
import { useHighlighted } from "@/lib/use-highlighted";

type ShownLines = Pick<EvidenceLines, "path" | "language" | "lines" | "start_line" | "end_line">;

type Props = {
  shown: ShownLines;
  /** A name in the code was pressed. */
  onName?: (name: string) => void;
};

export function CodeTable({ shown, onName }: Props) {
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const code = useMemo(() => shown.lines.map((line) => line.text).join("\n"), [shown.lines]);
  const coloured = useHighlighted(code, shown.language, shown.path);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another place scrolls anew.
  useLayoutEffect(() => {
    const first = box.current?.querySelector<HTMLElement>("tr.cited");
    if (first && box.current) box.current.scrollTop = Math.max(0, first.offsetTop - 96);
  }, [shown.path, shown.start_line]);

  const press = (event: MouseEvent) => {
    // Whoever marks text to copy it has not pressed a name.
    if (!onName || !window.getSelection()?.isCollapsed) return;
    const name = (event.target as HTMLElement).closest<HTMLElement>("[data-name]")?.dataset.name;
    if (name) onName(name);
  };
  const label = t("evidence.marked", { start: shown.start_line, end: shown.end_line });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keys a name is looked up in the outline.
    <section
      className={onName ? "code with-names" : "code"}
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled.
      tabIndex={0}
      aria-label={label}
      translate="no"
      onClick={press}
    >
      <table>
        <tbody>
          {shown.lines.map((line, index) => (
            <tr key={line.number} className={line.cited ? "cited" : ""} data-line={line.number}>
              <td>{line.number}</td>
              <td>
                <CodeLine
                  text={line.text}
                  tokens={coloured?.[index]}
                  names={onName !== undefined}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
