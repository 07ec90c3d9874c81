/** Four figures of a repository: files, symbols, left out, and how often questions found it first. */
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { count, percent } from "@/lib/wording";

export function Figures({ repository }: { repository: Repository }) {
  const { t, i18n } = useTranslation();
  const { files, symbols, skipped, repo_at_1: first } = repository;
  const figures = [
    { name: t("repositories.files"), value: count(files, i18n.language) },
    { name: t("repositories.symbols"), value: count(symbols ?? 0, i18n.language) },
    { name: t("repositories.leftOut"), value: count(skipped ?? 0, i18n.language) },
    {
      name: t("repositories.repoAt1"),
      value: first === null ? null : percent(first, i18n.language),
    },
  ];
  return (
    <dl className="figures">
      {figures.map((figure) => (
        <div key={figure.name}>
          <dt>{figure.name}</dt>
          {figure.value === null ? (
            <dd className="muted">{t("repositories.notMeasured")}</dd>
          ) : (
            <dd>{figure.value}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}
