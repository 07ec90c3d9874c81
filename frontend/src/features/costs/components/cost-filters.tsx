/** Period, and what the figures are limited to; all of it stands in the address. */
import { useTranslation } from "react-i18next";
import type { Costs } from "@/api/types";
import { FilterSelect } from "@/components/filter-select";
import { Icon } from "@/components/icon";
import { type CostFilter, fileOf, periods } from "../words/filter";

type Props = {
  filter: CostFilter;
  costs: Costs | undefined;
  onChange: (change: CostFilter) => void;
};

const wholePeriod = { days: undefined, first: undefined, last: undefined };

export function PeriodFilter({ filter, onChange }: Omit<Props, "costs">) {
  const { t } = useTranslation();
  const own = filter.first !== undefined || filter.last !== undefined;
  return (
    <fieldset className="filters" aria-label={t("costs.period")}>
      <button
        type="button"
        className="chip"
        aria-pressed={!own && filter.days === undefined}
        onClick={() => onChange(wholePeriod)}
      >
        {t("costs.thisMonth")}
      </button>
      {periods.map((days) => (
        <button
          key={days}
          type="button"
          className="chip"
          aria-pressed={!own && filter.days === days}
          onClick={() => onChange({ ...wholePeriod, days })}
        >
          {t("costs.days", { count: days })}
        </button>
      ))}
      <a className="button small-button" href={fileOf(filter)} download>
        <Icon name="down" />
        CSV
      </a>
    </fieldset>
  );
}

export function NarrowFilter({ filter, costs, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const zh = i18n.language.startsWith("zh");
  const numbered = (value: string | undefined) => (value === undefined ? undefined : Number(value));
  const people = (costs?.people ?? []).map(({ person }): [string, string] => [
    String(person?.id ?? 0),
    person?.display_name ?? t("costs.byCompany"),
  ]);
  return (
    <fieldset className="filters" aria-label={t("costs.narrow")}>
      <FilterSelect
        label={t("costs.everybody")}
        value={filter.person?.toString()}
        choices={people}
        onChange={(value) => onChange({ person: numbered(value) })}
      />
      <FilterSelect
        label={t("costs.allGroups")}
        value={filter.group?.toString()}
        choices={(costs?.groups ?? []).map(({ group }) => [String(group.id), group.name])}
        onChange={(value) => onChange({ group: numbered(value) })}
      />
      <FilterSelect
        label={t("costs.allRepositories")}
        value={filter.repository?.toString()}
        choices={(costs?.repositories ?? []).map(({ repository }) => [
          String(repository.id),
          repository.name ?? t("costs.repositoryNumber", { number: repository.id }),
        ])}
        onChange={(value) => onChange({ repository: numbered(value) })}
      />
      <FilterSelect
        label={t("costs.allModels")}
        value={filter.model}
        choices={(costs?.models ?? []).map(({ model }) => [model, model])}
        onChange={(model) => onChange({ model })}
      />
      <FilterSelect
        label={t("costs.allPurposes")}
        value={filter.purpose}
        choices={(costs?.purposes ?? []).map((each) => [each.purpose, zh ? each.zh : each.en])}
        onChange={(purpose) => onChange({ purpose })}
      />
    </fieldset>
  );
}
