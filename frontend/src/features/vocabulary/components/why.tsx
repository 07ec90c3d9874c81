/** The places in code that tie a word to a code word, each with its line. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Term, TermExample } from "@/api/types";
import { Skeleton } from "@/components/skeleton";
import { Trouble } from "@/components/trouble";
import { problemText } from "@/lib/problems";
import { languageOf } from "@/lib/wording";
import { whyQuery } from "../api/why-term";
import { sourceWords } from "../words/sources";

function Example({ example, onOpen }: { example: TermExample; onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <li>
      <button type="button" className="path" onClick={onOpen} translate="no">
        {example.repository.name}/{example.path}:{example.line}
      </button>
      <p className="small-text">
        <span className="muted">{sourceWords(example.kind, t)} · </span>
        <span lang={languageOf(example.text)} dir="auto">
          {example.text}
        </span>
        {example.translation && (
          <>
            {" ⇄ "}
            <span lang={languageOf(example.translation)} dir="auto">
              {example.translation}
            </span>
          </>
        )}
      </p>
    </li>
  );
}

type Props = { term: Term; onOpen: (example: TermExample) => void };

export function Why({ term, onOpen }: Props) {
  const { t } = useTranslation();
  const { data, error, isPending } = useQuery(whyQuery(term));
  if (isPending) return <Skeleton text={t("vocabulary.lookingWhy")} />;
  if (error) return <Trouble text={problemText(error, t)} />;
  if (!data || data.length === 0) {
    return (
      <p className="small-text muted">
        {term.state === "mined" ? t("vocabulary.noExamples") : t("vocabulary.byPeople")}
      </p>
    );
  }
  return (
    <ul className="examples" aria-label={t("vocabulary.examples")}>
      {data.map((example) => (
        <Example
          key={`${example.path}:${example.line}:${example.text}`}
          example={example}
          onOpen={() => onOpen(example)}
        />
      ))}
    </ul>
  );
}
