/** What calls cost in one short line: each currency by itself, and that a price is unknown where one is. */
import type { TFunction } from "i18next";
import type { Spent } from "@/api/types";
import { money } from "./wording";

/** Empty where nothing was paid, as by the model that answers by rule. */
export function spentText(
  { money: known, unknown_calls }: Pick<Spent, "money" | "unknown_calls">,
  t: TFunction,
  language: string,
) {
  const amounts = known.map(({ amount, currency }) => money(amount, currency, language));
  return [...amounts, unknown_calls > 0 ? t("turn.priceUnknown") : ""].filter(Boolean).join(" + ");
}
