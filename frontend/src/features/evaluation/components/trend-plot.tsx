/** The trend as lines over runs, oldest first; the table beside it says the same in figures. */
import { useTranslation } from "react-i18next";
import type { EvaluationRun } from "@/api/types";
import { calendarDay, percent } from "@/lib/wording";

const width = 640;
const height = 180;
const left = 40;
const right = 12;
const top = 10;
const bottom = 24;

const series = [
  { key: "repo_at_1", name: "repo@1", mark: "s1" },
  { key: "file_at_10", name: "file@10", mark: "s2" },
  { key: "file_at_1", name: "file@1", mark: "s3" },
] as const;

const levels = [0, 0.25, 0.5, 0.75, 1];

function across(index: number, count: number): number {
  const room = width - left - right;
  return count < 2 ? left + room / 2 : left + (room * index) / (count - 1);
}

function up(share: number): number {
  return top + (height - top - bottom) * (1 - share);
}

function Grid() {
  const { i18n } = useTranslation();
  return levels.map((level) => (
    <g key={level}>
      <line x1={left} x2={width - right} y1={up(level)} y2={up(level)} />
      <text x={left - 8} y={up(level) + 4} textAnchor="end">
        {percent(level, i18n.language)}
      </text>
    </g>
  ));
}

function Days({ runs }: { runs: EvaluationRun[] }) {
  const { i18n } = useTranslation();
  const ends = [...new Set([0, runs.length - 1])];
  return ends.map((index) => {
    const run = runs[index];
    if (!run) return null;
    const anchor = runs.length < 2 ? "middle" : index === 0 ? "start" : "end";
    return (
      <text key={run.id} x={across(index, runs.length)} y={height - 6} textAnchor={anchor}>
        {calendarDay(run.at, i18n.language)}
      </text>
    );
  });
}

function Line({ runs, of }: { runs: EvaluationRun[]; of: (typeof series)[number] }) {
  const points = runs.map((run, index) => ({
    id: run.id,
    x: across(index, runs.length),
    y: up(run.all[of.key]),
  }));
  return (
    <g className={`series ${of.mark}`}>
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(" ")} />
      {points.map(({ id, x, y }) => (
        <circle key={id} cx={x} cy={y} r={3} />
      ))}
    </g>
  );
}

/** `runs` oldest first. */
export function TrendPlot({ runs }: { runs: EvaluationRun[] }) {
  const { t } = useTranslation();
  return (
    <figure className="trend">
      <figcaption className="row wrap small">
        {series.map((each) => (
          <span key={each.key} className={`legend ${each.mark}`}>
            {each.name}
          </span>
        ))}
      </figcaption>
      <svg
        className="plot"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t("evaluation.trendLabel", { count: runs.length })}
      >
        <Grid />
        <Days runs={runs} />
        {series.map((each) => (
          <Line key={each.key} runs={runs} of={each} />
        ))}
      </svg>
    </figure>
  );
}
