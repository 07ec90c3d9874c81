/** What narrows the list of topics: whose, status, repository, date, cost. */
import { useTranslation } from "react-i18next";
import type { TopicStatus, TopicWhose } from "@/api/types";
import { FilterChips } from "@/components/filter-chips";
import { FilterSelect } from "@/components/filter-select";
import {
  costChoices,
  dayChoices,
  type ListFilter,
  statusChoices,
  unpriced,
  whoseChoices,
} from "../words/choices";

type WhoseProps = { whose: TopicWhose | undefined; onChange: (whose?: TopicWhose) => void };

export function WhoseFilter({ whose, onChange }: WhoseProps) {
  const { t } = useTranslation();
  return (
    <FilterChips
      label={t("topics.whose")}
      all={t("topics.all")}
      parts={whoseChoices}
      chosen={whose}
      wordsOf={(each) => t(`topics.${each}`)}
      onChange={onChange}
    />
  );
}

type Props = {
  filter: ListFilter;
  repositories: { id: number; name: string }[];
  onChange: (change: ListFilter) => void;
};

export function MoreFilters({ filter, repositories, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset className="filters" aria-label={t("topics.filter")}>
      <FilterSelect
        label={t("topics.status")}
        value={filter.status}
        choices={statusChoices.map((each) => [each, t(`status.${each}`)])}
        onChange={(status) => onChange({ status: status as TopicStatus | undefined })}
      />
      <FilterSelect
        label={t("topics.repository")}
        value={filter.repository?.toString()}
        choices={repositories.map(({ id, name }) => [String(id), name])}
        onChange={(id) => onChange({ repository: id ? Number(id) : undefined })}
      />
      <FilterSelect
        label={t("topics.anyTime")}
        value={filter.days?.toString()}
        choices={dayChoices.map((days) => [String(days), t("topics.lastDays", { count: days })])}
        onChange={(days) => onChange({ days: days ? Number(days) : undefined })}
      />
      <FilterSelect
        label={t("topics.anyCost")}
        value={filter.cost}
        choices={[
          ...costChoices.map((amount): [string, string] => [amount, t("topics.costs", { amount })]),
          [unpriced, t("turn.priceUnknown")],
        ]}
        onChange={(cost) => onChange({ cost })}
      />
    </fieldset>
  );
}
