/** A budget for each month: whose, in money or tokens, how much, and from when people are warned. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Budget } from "@/api/types";
import { FilterSelect } from "@/components/filter-select";
import { FormField } from "@/components/form-field";
import { FormSheet } from "@/components/form-sheet";
import { problemField } from "@/lib/problems";
import { saveBudget } from "../api/save-budget";
import { whose } from "../words/budgets";
import { useCostChange } from "./use-cost-change";

const scopes = ["company", "person", "group", "model"] as const;

type Choices = {
  people: [string, string][];
  groups: [string, string][];
  models: [string, string][];
};

type Props = { budget: Budget | null; choices: Choices; onClose: () => void };

function useWritten(budget: Budget | null) {
  const [written, setWritten] = useState({
    scope: (budget?.scope ?? "company") as (typeof scopes)[number],
    target: "",
    unit: budget?.unit ?? "",
    limit: budget?.limit ?? "",
    warn: String(Math.round((budget?.warn_at ?? 0.8) * 100)),
  });
  return {
    written,
    change: (part: Partial<typeof written>) => setWritten({ ...written, ...part }),
  };
}

type Written = ReturnType<typeof useWritten>["written"];

function Whose({ written, choices, onChange }: WhoseProps) {
  const { t } = useTranslation();
  const { scope, target } = written;
  const of = { company: [], person: choices.people, group: choices.groups, model: choices.models };
  return (
    <fieldset className="form-field">
      <legend>{t("budgets.whose")}</legend>
      <div className="filters">
        {scopes.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={scope === each}
            onClick={() => onChange({ scope: each, target: "" })}
          >
            {t(`budgets.${each}`)}
          </button>
        ))}
        {scope !== "company" && (
          <FilterSelect
            label={t("budgets.choose")}
            value={target || undefined}
            choices={of[scope]}
            onChange={(value) => onChange({ target: value ?? "" })}
          />
        )}
      </div>
    </fieldset>
  );
}

type WhoseProps = {
  written: Written;
  choices: Choices;
  onChange: (part: Partial<Written>) => void;
};

function bodyOf({ warn, unit, ...written }: Written) {
  return {
    ...written,
    unit: unit.trim() === "tokens" ? "tokens" : unit.trim().toUpperCase(),
    limit: written.limit.trim(),
    warn_at: String(Number(warn) / 100),
  };
}

export function BudgetSheet({ budget, choices, onClose }: Props) {
  const { t } = useTranslation();
  const { written, change } = useWritten(budget);
  const act = useCostChange(() => saveBudget(budget?.id ?? null, bodyOf(written)), onClose);
  const wrong = problemField(act.error);
  return (
    <FormSheet
      title={budget ? whose(budget, t) : t("budgets.add")}
      disabled={act.isPending}
      noValidate
      onSubmit={() => act.mutate(undefined)}
      onClose={onClose}
    >
      {!budget && <Whose written={written} choices={choices} onChange={change} />}
      {!budget && (
        <FormField
          label={t("budgets.unit")}
          hint={t("budgets.unitHint")}
          value={written.unit}
          trouble={wrong === "unit" ? act.trouble : null}
          onChange={(event) => change({ unit: event.target.value })}
        />
      )}
      <FormField
        label={t("budgets.limit")}
        inputMode="decimal"
        value={written.limit}
        trouble={wrong === "unit" || wrong === "warn_at" ? null : act.trouble}
        onChange={(event) => change({ limit: event.target.value })}
      />
      <FormField
        label={t("budgets.warnAt")}
        inputMode="numeric"
        value={written.warn}
        trouble={wrong === "warn_at" ? act.trouble : null}
        onChange={(event) => change({ warn: event.target.value })}
      />
    </FormSheet>
  );
}
