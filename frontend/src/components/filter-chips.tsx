/** Chips of which one is pressed: all of a list, or one part of it, with how many that is. */
import { useTranslation } from "react-i18next";
import { count } from "@/lib/wording";

type Props<Part extends string> = {
  label: string;
  all: string;
  parts: readonly Part[];
  chosen: Part | undefined;
  wordsOf: (part: Part) => string;
  /** Where counts are known, a part without anything is left out unless it is chosen. */
  counts?: Partial<Record<Part, number>>;
  onChange: (part?: Part) => void;
};

export function FilterChips<Part extends string>(props: Props<Part>) {
  const { i18n } = useTranslation();
  const { label, all, parts, chosen, wordsOf, counts, onChange } = props;
  const shown = counts ? parts.filter((each) => counts[each] || each === chosen) : parts;
  return (
    <fieldset className="filters" aria-label={label}>
      {[undefined, ...shown].map((each) => (
        <button
          key={each ?? ""}
          type="button"
          className="chip"
          aria-pressed={chosen === each}
          onClick={() => onChange(each)}
        >
          {each ? wordsOf(each) : all}
          {each && counts && (
            <span className="chip-count">{count(counts[each] ?? 0, i18n.language)}</span>
          )}
        </button>
      ))}
    </fieldset>
  );
}
