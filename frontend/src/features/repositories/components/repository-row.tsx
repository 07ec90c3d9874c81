/** One repository: what it is about, how fresh it is, and how far an indexing has come. */
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Icon } from "@/components/icon";
import { ago, calendarDay, count } from "@/lib/wording";

function Status({ repository }: { repository: Repository }) {
  const { t } = useTranslation();
  const word = t(`repositories.${repository.status}`);
  if (repository.status === "fresh") {
    return (
      <span className="row small good">
        <Icon name="check" />
        {word}
      </span>
    );
  }
  if (repository.status === "failed") {
    return (
      <span className="tag bad">
        <Icon name="warning" />
        {word}
      </span>
    );
  }
  return <span className={repository.status === "indexing" ? "tag info" : "tag"}>{word}</span>;
}

function Progress({ repository }: { repository: Repository }) {
  const { t, i18n } = useTranslation();
  const { run } = repository;
  if (repository.status !== "indexing" || !run || run.total === 0) return null;
  const percent = Math.round((run.done / run.total) * 100);
  const figures = {
    done: count(run.done, i18n.language),
    total: count(run.total, i18n.language),
  };
  return (
    <>
      <div
        className="progress"
        role="progressbar"
        aria-valuenow={percent}
        aria-label={t("repositories.progress", { name: repository.name })}
      >
        <i style={{ width: `${percent}%` }} />
      </div>
      <p className="small muted">{t("repositories.filesDone", figures)}</p>
    </>
  );
}

function Branches({ repository }: { repository: Repository }) {
  const { t, i18n } = useTranslation();
  return repository.branches.map((branch) => (
    <p key={branch.name} className="small muted dotted">
      <span>{branch.name}</span>
      {branch.commit && <span className="mono">{branch.commit.slice(0, 7)}</span>}
      {branch.committed_at && (
        <span>
          {t("repositories.committed", { date: calendarDay(branch.committed_at, i18n.language) })}
        </span>
      )}
      <span>
        {branch.indexed_at
          ? t("repositories.indexed", { ago: ago(branch.indexed_at, i18n.language) })
          : t("repositories.neverIndexed")}
      </span>
    </p>
  ));
}

export function RepositoryRow({ repository }: { repository: Repository }) {
  const { t, i18n } = useTranslation();
  const zh = i18n.language === "zh";
  const about = zh
    ? repository.description.zh || repository.description.en
    : repository.description.en || repository.description.zh;
  return (
    <li className="repository-row">
      <div className="row">
        <h2 className="grow">{repository.name}</h2>
        <Status repository={repository} />
      </div>
      {about && <p className="small-text muted">{about}</p>}
      <Progress repository={repository} />
      <Branches repository={repository} />
      {repository.files > 0 && (
        <p className="small muted">
          {t("repositories.files", {
            count: repository.files,
            formatted: count(repository.files, i18n.language),
          })}
        </p>
      )}
      {repository.error && <p className="small bad">{repository.error}</p>}
    </li>
  );
}
