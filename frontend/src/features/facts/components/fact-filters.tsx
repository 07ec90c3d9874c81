/** What narrows facts: how they stand, a language, words. */
import { useTranslation } from "react-i18next";
import type { FactCounts, FactState } from "@/api/types";
import { Icon } from "@/components/icon";
import { count } from "@/lib/wording";
import { states } from "../words/states";

type StateProps = {
  state: FactState | undefined;
  counts: FactCounts | undefined;
  onChange: (state?: FactState) => void;
};

export function StateFilter({ state, counts, onChange }: StateProps) {
  const { t, i18n } = useTranslation();
  const shown = states.filter((each) => (counts?.[each] ?? 0) > 0 || each === state);
  return (
    <fieldset className="filters" aria-label={t("facts.filter")}>
      <button
        type="button"
        className="chip"
        aria-pressed={state === undefined}
        onClick={() => onChange()}
      >
        {t("topics.all")}
      </button>
      {shown.map((each) => (
        <button
          key={each}
          type="button"
          className="chip"
          aria-pressed={state === each}
          onClick={() => onChange(each)}
        >
          {t(`facts.state.${each}`)}
          <span className="chip-count">{count(counts?.[each] ?? 0, i18n.language)}</span>
        </button>
      ))}
    </fieldset>
  );
}

export function FactSearch({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { t } = useTranslation();
  return (
    <label className="field">
      <Icon name="search" large />
      <span className="hidden">{t("facts.search")}</span>
      <input
        type="search"
        data-search
        value={text}
        dir="auto"
        placeholder={t("facts.placeholder")}
        onChange={(event) => onChange(event.target.value)}
      />
      <kbd className="only-wide">/</kbd>
    </label>
  );
}

type ChoiceProps = {
  label: string;
  every: string;
  choices: { id: string; name: string }[];
  chosen: string;
  onChange: (chosen: string) => void;
};

export function FactChoice({ label, every, choices, chosen, onChange }: ChoiceProps) {
  return (
    <select
      className="select"
      aria-label={label}
      value={chosen}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{every}</option>
      {choices.map((each) => (
        <option key={each.id} value={each.id}>
          {each.name}
        </option>
      ))}
    </select>
  );
}
