/** A business word and the code word it is tied to. */
import type { Term } from "@/api/types";
import { Icon } from "@/components/icon";
import { languageOf } from "@/lib/wording";

export function Pair({ term }: { term: Pick<Term, "word" | "code"> }) {
  return (
    <span className="pair">
      <span lang={languageOf(term.word)} dir="auto">
        {term.word}
      </span>
      <Icon name="swap" />
      <code translate="no">{term.code}</code>
    </span>
  );
}
