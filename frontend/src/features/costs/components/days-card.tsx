/** The days of a period by purpose, in money or in tokens. */
import { useTranslation } from "react-i18next";
import type { Costs } from "@/api/types";
import { barsOf } from "../words/days";
import type { Measure } from "../words/figures";
import { layersOf } from "../words/stack";
import { DayPlot } from "./day-plot";
import { DayTable } from "./day-table";

type Props = { costs: Costs; measure: Measure; onMeasure: (change: MeasureChange) => void };

type MeasureChange = { currency?: string; tokens?: boolean };

function MeasureChips({ costs, measure, onMeasure }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset className="filters" aria-label={t("costs.measure")}>
      {costs.currencies.map((currency) => (
        <button
          key={currency}
          type="button"
          className="chip"
          aria-pressed={!measure.tokens && currency === measure.currency}
          onClick={() => onMeasure({ currency, tokens: false })}
        >
          {currency}
        </button>
      ))}
      <button
        type="button"
        className="chip"
        aria-pressed={measure.tokens}
        onClick={() => onMeasure({ tokens: true })}
      >
        {t("costs.tokens")}
      </button>
    </fieldset>
  );
}

export function DaysCard(props: Props) {
  const { t, i18n } = useTranslation();
  const { costs, measure } = props;
  const bars = barsOf(costs, costs.days, measure);
  const layers = layersOf(costs.purposes, i18n.language);
  return (
    <section className="card cost-card" aria-labelledby="costs-days">
      <div className="row wrap">
        <h2 className="grow" id="costs-days">
          {t("costs.byDay")}
        </h2>
        <MeasureChips {...props} />
      </div>
      <p className="row wrap small legends">
        {layers.map((layer) => (
          <span key={layer.key} className={`legend ${layer.mark}`}>
            {layer.name ?? t("costs.others")}
          </span>
        ))}
      </p>
      {bars.some((bar) => bar.total > 0) ? (
        <DayPlot bars={bars} layers={layers} measure={measure} />
      ) : (
        <p className="muted cost-note">{t("costs.noneInPeriod")}</p>
      )}
      <DayTable bars={bars} layers={layers} measure={measure} />
    </section>
  );
}
