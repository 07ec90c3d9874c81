/** A price for a model from a date on; past calls of unknown price can be priced by it as well. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { NewPrice } from "@/api/types";
import { FormField } from "@/components/form-field";
import { FormSheet } from "@/components/form-sheet";
import { problemField } from "@/lib/problems";
import { pricePastCalls } from "../api/price-past-calls";
import { setPrice } from "../api/set-price";
import { useCostChange } from "./use-cost-change";

const rates = ["input", "cached", "output", "reasoning"] as const;

type Written = Record<"endpoint" | "model" | "currency" | "from" | (typeof rates)[number], string>;

function priceOf({ endpoint, model, currency, from, ...rate }: Written): NewPrice {
  const optional = (value: string) => value.trim() || null;
  return {
    endpoint,
    model,
    currency: currency.trim().toUpperCase(),
    input: rate.input.trim(),
    cached: optional(rate.cached),
    output: optional(rate.output),
    reasoning: optional(rate.reasoning),
    valid_from: from ? new Date(`${from}T00:00:00`).toISOString() : null,
  };
}

async function save(written: Written) {
  const price = await setPrice(priceOf(written));
  const past = written.from !== "" && written.model !== "" && !written.model.includes("*");
  if (past) await pricePastCalls(written.model);
  return price;
}

export function PriceSheet({ model, onClose }: { model: string; onClose: () => void }) {
  const { t } = useTranslation();
  const blank = { endpoint: "", currency: "", from: "", input: "", cached: "", output: "" };
  const [written, setWritten] = useState<Written>({ ...blank, model, reasoning: "" });
  const act = useCostChange(save, onClose);
  const wrong = problemField(act.error);
  const field = (name: keyof Written) => ({
    label: t(`prices.${name}`),
    value: written[name],
    trouble: wrong === name || (name === "currency" && wrong === null) ? act.trouble : null,
    onChange: (event: { target: { value: string } }) =>
      setWritten({ ...written, [name]: event.target.value }),
  });
  return (
    <FormSheet
      title={t("costs.setPrice")}
      disabled={act.isPending}
      noValidate
      onSubmit={() => act.mutate(written)}
      onClose={onClose}
    >
      <FormField {...field("model")} hint={t("prices.modelHint")} />
      <FormField {...field("endpoint")} hint={t("prices.endpointHint")} />
      <FormField {...field("currency")} maxLength={3} placeholder="CNY" />
      <p className="small muted">{t("prices.perMillion")}</p>
      <div className="form-pair">
        {rates.map((rate) => (
          <FormField key={rate} {...field(rate)} inputMode="decimal" />
        ))}
      </div>
      <FormField {...field("from")} type="date" hint={t("prices.fromHint")} />
    </FormSheet>
  );
}
