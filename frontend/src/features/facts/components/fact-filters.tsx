/** What narrows facts: how they stand, a repository, a language. */
import { useTranslation } from "react-i18next";
import type { FactCounts } from "@/api/types";
import { FilterChips } from "@/components/filter-chips";
import { FilterSelect } from "@/components/filter-select";
import type { FactFilter } from "../api/list-facts";
import { states } from "../words/states";

type Props = {
  filter: FactFilter;
  counts: FactCounts | undefined;
  repositories: { id: number; name: string }[];
  onChange: (change: Pick<FactFilter, "state" | "repository" | "language">) => void;
};

export function FactFilters({ filter, counts, repositories, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <div className="filter-groups">
      <FilterChips
        label={t("facts.filter")}
        all={t("topics.all")}
        parts={states}
        chosen={filter.state}
        wordsOf={(state) => t(`facts.state.${state}`)}
        counts={counts ?? {}}
        onChange={(state) => onChange({ state })}
      />
      <FilterSelect
        label={t("vocabulary.everyRepository")}
        value={filter.repository?.toString()}
        choices={repositories.map(({ id, name }) => [String(id), name])}
        onChange={(id) => onChange({ repository: id ? Number(id) : undefined })}
      />
      <FilterSelect
        label={t("facts.everyLanguage")}
        value={filter.language}
        choices={[
          ["zh", "中文"],
          ["en", "English"],
        ]}
        onChange={(id) => onChange({ language: id === "zh" || id === "en" ? id : undefined })}
      />
    </div>
  );
}
