/** The lines a new version shall rest on, as the code stands now: paths stay, numbers can be set. */
import { useTranslation } from "react-i18next";
import type { Fact, FactEdit } from "@/api/types";

type Lines = NonNullable<FactEdit["evidence"]>;

/** The lines that the present version cites. */
export function linesOf(fact: Fact): Lines {
  return fact.evidence.map(({ repository, branch, path, start_line, end_line }) => ({
    repository: repository.id,
    branch,
    path,
    start_line,
    end_line,
  }));
}

type Props = { fact: Fact; lines: Lines; onChange: (lines: Lines) => void };

export function EditPlaces({ fact, lines, onChange }: Props) {
  const { t } = useTranslation();
  const set = (at: number, change: Partial<Lines[number]>) =>
    onChange(lines.map((each, index) => (index === at ? { ...each, ...change } : each)));
  return (
    <ul className="edit-places" aria-label={t("facts.evidence")}>
      {lines.map((each, at) => (
        <li
          key={`${fact.evidence[at]?.path}:${fact.evidence[at]?.start_line}`}
          className="row wrap"
        >
          <span className="path small-text grow" translate="no">
            {fact.evidence[at]?.repository.name}/{each.path}
          </span>
          <input
            className="plain-input"
            type="number"
            min={1}
            required
            aria-label={t("facts.firstLine", { path: each.path })}
            value={each.start_line}
            onChange={(event) => set(at, { start_line: Number(event.target.value) })}
          />
          <span aria-hidden="true">–</span>
          <input
            className="plain-input"
            type="number"
            min={each.start_line}
            required
            aria-label={t("facts.lastLine", { path: each.path })}
            value={each.end_line}
            onChange={(event) => set(at, { end_line: Number(event.target.value) })}
          />
        </li>
      ))}
    </ul>
  );
}
