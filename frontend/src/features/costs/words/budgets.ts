/** Budgets in words: whose they are, and how much of them is left. */
import type { TFunction } from "i18next";
import type { Budget } from "@/api/types";
import { short, sum } from "./figures";

export function whose(budget: Budget, t: TFunction): string {
  if (budget.scope === "company") return t("budgets.company");
  return budget.person?.display_name ?? budget.group?.name ?? budget.model;
}

export function amount(value: string, budget: Budget, language: string): string {
  return budget.unit === "tokens"
    ? short(Number(value))
    : sum(Number(value), budget.unit, language);
}

/** What an administrator should know of it in a few words. */
export function standing(budget: Budget, t: TFunction): string {
  if (budget.state === "reached") return t("budgets.reached");
  if (budget.state === "warned") return t("budgets.warned");
  return budget.enough ? t("budgets.enough") : t("budgets.notEnough");
}
