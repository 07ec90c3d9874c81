/** The period by person, group, repository, model and purpose. */
import { useTranslation } from "react-i18next";
import type { CostFigures, Costs } from "@/api/types";
import type { Measure } from "../words/figures";
import type { CostFilter } from "../words/filter";
import { type Ranked, RankingCard } from "./ranking-card";

type Props = {
  costs: Costs;
  filter: CostFilter;
  measure: Measure;
  onChange: (change: CostFilter) => void;
};

type Named = { value: string | number; name: string; figures: CostFigures };

export function Rankings({ costs, filter, measure, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const zh = i18n.language.startsWith("zh");
  const ranked = (by: "person" | "group" | "repository" | "model" | "purpose", all: Named[]) =>
    all.map(
      ({ value, name, figures }): Ranked => ({
        key: String(value),
        name,
        figures,
        chosen: filter[by] === value,
        onChoose: () => onChange({ [by]: filter[by] === value ? undefined : value }),
      }),
    );
  const people = costs.people.map((each) => ({
    value: each.person?.id ?? 0,
    name: each.person?.display_name ?? t("costs.byCompany"),
    figures: each,
  }));
  const groups = costs.groups.map((each) => ({
    value: each.group.id,
    name: each.group.name,
    figures: each,
  }));
  const repositories = costs.repositories.map((each) => ({
    value: each.repository.id,
    name: each.repository.name ?? t("costs.repositoryNumber", { number: each.repository.id }),
    figures: each,
  }));
  const models = costs.models.map((each) => ({
    value: each.model,
    name: each.model,
    figures: each,
  }));
  const purposes = costs.purposes.map((each) => ({
    value: each.purpose,
    name: zh ? each.zh : each.en,
    figures: each,
  }));
  const cards = [
    { id: "repository", title: t("costs.byRepository"), note: t("costs.inView"), of: repositories },
    { id: "person", title: t("costs.byPerson"), note: undefined, of: people },
    { id: "group", title: t("costs.byGroup"), note: t("costs.overlap"), of: groups },
    { id: "model", title: t("costs.byModel"), note: undefined, of: models },
    { id: "purpose", title: t("costs.byPurpose"), note: undefined, of: purposes },
  ] as const;
  return cards.map(({ id, title, note, of }) => (
    <RankingCard
      key={id}
      id={id}
      title={title}
      note={note}
      rows={ranked(id, [...of])}
      measure={measure}
    />
  ));
}
