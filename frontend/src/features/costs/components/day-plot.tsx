/** Each day as a stacked bar, by purpose; the table under it says the same in figures. */
import { useTranslation } from "react-i18next";
import { calendarDay } from "@/lib/wording";
import type { Bar } from "../words/days";
import { type Measure, written } from "../words/figures";
import { heightOf, type Layer } from "../words/stack";

const width = 720;
const height = 220;
const left = 64;
const right = 8;
const top = 12;
const bottom = 24;

/** The next round number: 1, 2 or 5 times a power of ten. */
function ceiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (([1, 2, 5, 10] as const).find((each) => each * power >= value) ?? 10);
}

function Grid({ most, measure }: { most: number; measure: Measure }) {
  const { i18n } = useTranslation();
  return [0, 0.5, 1].map((share) => {
    const y = top + (height - top - bottom) * (1 - share);
    return (
      <g key={share}>
        <line x1={left} x2={width - right} y1={y} y2={y} />
        <text x={left - 8} y={y + 4} textAnchor="end">
          {written(most * share, measure, i18n.language)}
        </text>
      </g>
    );
  });
}

type BarProps = { bar: Bar; layers: Layer[]; x: number; wide: number; scale: number };

function Stacked({ bar, layers, x, wide, scale }: BarProps) {
  let y = height - bottom;
  return layers.map((layer) => {
    const tall = heightOf(bar, layer) * scale;
    y -= tall;
    return (
      tall > 0 && (
        <rect key={layer.key} className={layer.mark} x={x} y={y} width={wide} height={tall} />
      )
    );
  });
}

function Ends({ bars, room }: { bars: Bar[]; room: number }) {
  const { i18n } = useTranslation();
  const shown = [...new Set([0, Math.floor((bars.length - 1) / 2), bars.length - 1])];
  return shown.map((index) => {
    const bar = bars[index];
    return (
      bar && (
        <text key={bar.first} x={left + room * (index + 0.5)} y={height - 6} textAnchor="middle">
          {calendarDay(bar.first, i18n.language)}
        </text>
      )
    );
  });
}

export function DayPlot({
  bars,
  layers,
  measure,
}: {
  bars: Bar[];
  layers: Layer[];
  measure: Measure;
}) {
  const { t } = useTranslation();
  const most = ceiling(Math.max(...bars.map((bar) => bar.total)));
  const room = (width - left - right) / bars.length;
  const scale = (height - top - bottom) / most;
  return (
    <svg
      className="plot stacked"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t("costs.plotLabel")}
    >
      <Grid most={most} measure={measure} />
      <Ends bars={bars} room={room} />
      {bars.map((bar, index) => (
        <g key={bar.first}>
          <Stacked
            bar={bar}
            layers={layers}
            x={left + room * (index + 0.15)}
            wide={room * 0.7}
            scale={scale}
          />
        </g>
      ))}
    </svg>
  );
}
