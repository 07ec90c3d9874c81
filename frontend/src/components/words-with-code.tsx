/** Plain words in which `code` is set as code. */
import type { ReactNode } from "react";

export function WordsWithCode({ text }: { text: string }): ReactNode {
  return text.split(/`([^`\n]+)`/).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
