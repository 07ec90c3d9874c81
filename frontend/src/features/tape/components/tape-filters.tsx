/** What narrows the list: words, with the tiers they were found in; kinds; discarded forks or not. */
import { useTranslation } from "react-i18next";
import type { TapeHit } from "@/api/types";
import { FilterChips } from "@/components/filter-chips";
import { Icon } from "@/components/icon";
import { SearchField } from "@/components/search-field";
import { type KindGroup, kindGroups } from "../words/kinds";

export type Tier = TapeHit["tier"];

type SearchProps = { text: string; tiers: Tier[]; onChange: (text: string) => void };

export function TapeSearch({ text, tiers, onChange }: SearchProps) {
  const { t } = useTranslation();
  return (
    <SearchField
      label={t("tape.search")}
      placeholder={t("tape.searchHint")}
      text={text}
      onChange={onChange}
    >
      {tiers.map((tier) => (
        <span key={tier} className="tag only-wide">
          {t(`tape.tier.${tier}`)}
        </span>
      ))}
    </SearchField>
  );
}

type KindProps = { group: KindGroup | undefined; onChange: (group?: KindGroup) => void };

export function KindFilter({ group, onChange }: KindProps) {
  const { t } = useTranslation();
  return (
    <FilterChips
      label={t("tape.kinds")}
      all={t("tape.allKinds")}
      parts={kindGroups}
      chosen={group}
      wordsOf={(each) => t(`tape.group.${each}`)}
      onChange={onChange}
    />
  );
}

export function ForkSwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="quiet fork-switch"
      aria-pressed={on}
      onClick={() => onChange(!on)}
    >
      <Icon name="branch" />
      {t("tape.showForks")}
    </button>
  );
}
