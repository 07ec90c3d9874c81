/** How a repository is kept: source, schedule, pushes, whom answers may reach, and its removal. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Repository, RepositoryChange } from "@/api/types";
import { Trouble } from "@/components/trouble";
import { changeRepository } from "../api/change-repository";
import { Naming } from "./naming";
import { RemoveDialog } from "./remove-dialog";
import { useChange } from "./use-change";
import { WebhookRow } from "./webhook-row";

const schedules = [0, 5, 15, 60, 360, 1440];

function useSchedules(now: number) {
  const { t } = useTranslation();
  const choices = schedules.includes(now) ? schedules : [...schedules, now].sort((a, b) => a - b);
  return choices.map((minutes) => {
    if (minutes === 0) return { minutes, text: t("repositories.never") };
    if (minutes % 1440 === 0)
      return { minutes, text: t("repositories.days", { count: minutes / 1440 }) };
    if (minutes % 60 === 0)
      return { minutes, text: t("repositories.hours", { count: minutes / 60 }) };
    return { minutes, text: t("repositories.minutes", { count: minutes }) };
  });
}

type Props = { repository: Repository; onRemoved: () => void };

export function Upkeep({ repository, onRemoved }: Props) {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState(false);
  const change = useChange((wanted: RepositoryChange) => changeRepository(repository.id, wanted));
  // What was just chosen is shown until the server's word is here.
  const [wanted, setWanted] = useState<RepositoryChange>({});
  const choose = (next: RepositoryChange) => {
    setWanted(next);
    change.mutate(next, { onSettled: () => setWanted({}) });
  };
  const { answers, schedule_minutes } = { ...repository, ...wanted };
  const now = schedule_minutes ?? 0;
  const choices = useSchedules(now);
  return (
    <section className="block upkeep">
      <h3 className="section-title">{t("repositories.upkeep")}</h3>
      <Naming repository={repository} />
      {repository.source && (
        <div className="setting">
          <span>{t("repositories.source")}</span>
          <span className="path ellipsis" title={repository.source}>
            {repository.source}
          </span>
        </div>
      )}
      <label className="setting">
        <span>{t("repositories.schedule")}</span>
        <select
          className="select"
          value={now}
          onChange={(event) => choose({ schedule_minutes: Number(event.target.value) })}
        >
          {choices.map((choice) => (
            <option key={choice.minutes} value={choice.minutes}>
              {choice.text}
            </option>
          ))}
        </select>
      </label>
      <WebhookRow repository={repository} />
      <label className="setting">
        <span>
          {t("repositories.company")}
          <span className="small muted setting-hint">{t("repositories.companyHint")}</span>
        </span>
        <input
          type="checkbox"
          checked={answers === "company"}
          disabled={change.isPending}
          onChange={(event) => choose({ answers: event.target.checked ? "company" : "readers" })}
        />
      </label>
      <Trouble text={change.trouble} />
      <button type="button" className="quiet danger" onClick={() => setRemoving(true)}>
        {t("repositories.remove")}
      </button>
      {removing && (
        <RemoveDialog
          repository={repository}
          onClose={() => setRemoving(false)}
          onRemoved={onRemoved}
        />
      )}
    </section>
  );
}
