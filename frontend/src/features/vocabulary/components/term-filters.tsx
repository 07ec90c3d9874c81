/** What narrows the vocabulary: one source, one repository. */
import { useTranslation } from "react-i18next";
import type { WordCounts } from "@/api/types";
import { FilterChips } from "@/components/filter-chips";
import { FilterSelect } from "@/components/filter-select";
import type { TermFilter } from "../api/list-terms";
import { sources, sourceWords } from "../words/sources";

export type Named = { id: number; name: string };

type Props = {
  filter: TermFilter;
  counts: WordCounts | undefined;
  repositories: Named[];
  onChange: (change: Pick<TermFilter, "source" | "repository">) => void;
};

export function TermFilters({ filter, counts, repositories, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <div className="filter-groups">
      <FilterChips
        label={t("vocabulary.filter")}
        all={t("topics.all")}
        parts={sources}
        chosen={filter.source}
        wordsOf={(source) => sourceWords(source, t)}
        counts={counts ?? {}}
        onChange={(source) => onChange({ source })}
      />
      <FilterSelect
        label={t("vocabulary.everyRepository")}
        value={filter.repository?.toString()}
        choices={repositories.map(({ id, name }) => [String(id), name])}
        onChange={(id) => onChange({ repository: id ? Number(id) : undefined })}
      />
    </div>
  );
}
