/** What narrows the list: words, with the tiers they were found in; kinds; discarded forks or not. */
import { useTranslation } from "react-i18next";
import type { TapeHit } from "@/api/types";
import { Icon } from "@/components/icon";
import { type KindGroup, kindGroups } from "../words/kinds";

export type Tier = TapeHit["tier"];

type SearchProps = { text: string; tiers: Tier[]; onChange: (text: string) => void };

export function TapeSearch({ text, tiers, onChange }: SearchProps) {
  const { t } = useTranslation();
  return (
    <label className="field">
      <Icon name="search" large />
      <span className="hidden">{t("tape.search")}</span>
      <input
        type="search"
        data-search
        value={text}
        dir="auto"
        placeholder={t("tape.searchHint")}
        onChange={(event) => onChange(event.target.value)}
      />
      {tiers.map((tier) => (
        <span key={tier} className="tag only-wide">
          {t(`tape.tier.${tier}`)}
        </span>
      ))}
    </label>
  );
}

type KindProps = { group: KindGroup | undefined; onChange: (group?: KindGroup) => void };

export function KindFilter({ group, onChange }: KindProps) {
  const { t } = useTranslation();
  const choices: (KindGroup | undefined)[] = [undefined, ...kindGroups];
  return (
    <fieldset className="filters" aria-label={t("tape.kinds")}>
      {choices.map((each) => (
        <button
          key={each ?? "all"}
          type="button"
          className="chip"
          aria-pressed={group === each}
          onClick={() => onChange(each)}
        >
          {each ? t(`tape.group.${each}`) : t("tape.allKinds")}
        </button>
      ))}
    </fieldset>
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
