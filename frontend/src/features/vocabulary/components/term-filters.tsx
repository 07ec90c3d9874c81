/** What narrows the vocabulary: letters of a word, one source, one repository. */
import { useTranslation } from "react-i18next";
import type { WordCounts, WordSource } from "@/api/types";
import { Icon } from "@/components/icon";
import { count } from "@/lib/wording";
import { sources, sourceWords } from "../words/sources";

export type Named = { id: number; name: string };

type SearchProps = { text: string; onChange: (text: string) => void };

export function TermSearch({ text, onChange }: SearchProps) {
  const { t } = useTranslation();
  return (
    <label className="field">
      <Icon name="search" large />
      <span className="hidden">{t("vocabulary.search")}</span>
      <input
        type="search"
        data-search
        value={text}
        dir="auto"
        placeholder={t("vocabulary.placeholder")}
        onChange={(event) => onChange(event.target.value)}
      />
      <kbd className="only-wide">/</kbd>
    </label>
  );
}

type SourceProps = {
  source: WordSource | undefined;
  counts: WordCounts | undefined;
  onChange: (source?: WordSource) => void;
};

export function SourceFilter({ source, counts, onChange }: SourceProps) {
  const { t, i18n } = useTranslation();
  const shown = sources.filter((each) => (counts?.[each] ?? 0) > 0 || each === source);
  return (
    <fieldset className="filters" aria-label={t("vocabulary.filter")}>
      <button
        type="button"
        className="chip"
        aria-pressed={source === undefined}
        onClick={() => onChange()}
      >
        {t("topics.all")}
      </button>
      {shown.map((each) => (
        <button
          key={each}
          type="button"
          className="chip"
          aria-pressed={source === each}
          onClick={() => onChange(each)}
        >
          {sourceWords(each, t)}
          <span className="chip-count">{count(counts?.[each] ?? 0, i18n.language)}</span>
        </button>
      ))}
    </fieldset>
  );
}

type RepositoryProps = {
  repositories: Named[];
  chosen: number | undefined;
  onChange: (repository?: number) => void;
};

export function RepositoryFilter({ repositories, chosen, onChange }: RepositoryProps) {
  const { t } = useTranslation();
  return (
    <select
      className="select"
      aria-label={t("vocabulary.repository")}
      value={chosen ?? ""}
      onChange={(event) => onChange(Number(event.target.value) || undefined)}
    >
      <option value="">{t("vocabulary.everyRepository")}</option>
      {repositories.map((each) => (
        <option key={each.id} value={each.id}>
          {each.name}
        </option>
      ))}
    </select>
  );
}
