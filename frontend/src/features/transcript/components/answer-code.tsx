/** A block of code inside an answer, in the colours of the evidence panel. */
import { Children, type ComponentProps, isValidElement } from "react";
import { CodeLine } from "@/components/code-line";
import { useHighlighted } from "@/lib/use-highlighted";

type Inner = { className?: string; children?: unknown };

function innerOf(children: ComponentProps<"pre">["children"]): Inner {
  const [first] = Children.toArray(children);
  return isValidElement<Inner>(first) ? first.props : {};
}

export function AnswerCode({ children }: ComponentProps<"pre">) {
  const inner = innerOf(children);
  const code = String(inner.children ?? "").replace(/\n$/, "");
  const language = /language-(\S+)/.exec(inner.className ?? "")?.[1] ?? "";
  const coloured = useHighlighted(code, language);
  const lines = code.split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled.
    <pre className="answer-code" tabIndex={0}>
      <code>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of code is its place.
          <span key={index} className="answer-code-line">
            <CodeLine text={line} tokens={coloured?.[index]} />
            {"\n"}
          </span>
        ))}
      </code>
    </pre>
  );
}
