/** The chosen set: run it, edit it, its newest figures, its trend and its questions. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EvaluationDetail } from "@/api/types";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Failure } from "@/components/failure";
import { Icon } from "@/components/icon";
import { Skeleton } from "@/components/skeleton";
import { Trouble } from "@/components/trouble";
import { problemText } from "@/lib/problems";
import { evaluationQuery } from "../api/get-evaluation";
import { removeEvaluation } from "../api/remove-evaluation";
import { runEvaluation } from "../api/run-evaluation";
import { MeasuresTable } from "./measures-table";
import { QuestionList } from "./question-list";
import { SetDialog } from "./set-dialog";
import { Trend } from "./trend";
import { useEvaluationChange } from "./use-evaluation-change";

type ActsProps = { set: EvaluationDetail; onRemoved: () => void };

function Acts({ set, onRemoved }: ActsProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<"edit" | "remove" | null>(null);
  const close = () => setOpen(null);
  const run = useEvaluationChange(runEvaluation);
  const remove = useEvaluationChange(removeEvaluation, onRemoved);
  return (
    <>
      <button
        type="button"
        className="button small-button"
        disabled={set.running || run.isPending}
        onClick={() => run.mutate(set.id)}
      >
        <Icon name="again" />
        {set.running ? t("evaluation.running") : t("evaluation.run")}
      </button>
      {set.may_edit && (
        <button type="button" className="button small-button" onClick={() => setOpen("edit")}>
          {t("evaluation.edit")}
        </button>
      )}
      <button type="button" className="quiet danger" onClick={() => setOpen("remove")}>
        {t("evaluation.remove")}
      </button>
      {open === "edit" && <SetDialog set={set} onClose={close} />}
      {open === "remove" && (
        <ConfirmDialog
          title={t("evaluation.removeTitle", { name: set.name })}
          text={t("evaluation.removeHint")}
          act={t("evaluation.remove")}
          busy={remove.isPending}
          trouble={remove.error ? problemText(remove.error, t) : null}
          onConfirm={() => remove.mutate(set.id)}
          onClose={close}
        />
      )}
      <Trouble text={run.error ? problemText(run.error, t) : null} />
    </>
  );
}

export function SetDetail({ id, onRemoved }: { id: number; onRemoved: () => void }) {
  const { t } = useTranslation();
  const { data: set, error, isPending, refetch } = useQuery(evaluationQuery(id));
  if (isPending) return <Skeleton text={t("states.loadingEvaluation")} />;
  if (!set) {
    return <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />;
  }
  const newest = set.runs[0];
  return (
    <>
      <div className="row wrap detail-head">
        <h2 className="grow" dir="auto">
          {set.name}
        </h2>
        <Acts set={set} onRemoved={onRemoved} />
      </div>
      <p className="small-text muted dotted" role="status">
        <span>{set.running ? t("evaluation.runningHint") : t("evaluation.afterIndexing")}</span>
        <span>{t("evaluation.keptBy", { name: set.owner.display_name })}</span>
      </p>
      <Trouble text={set.error || null} />
      {newest && <MeasuresTable run={newest} />}
      {newest && <Trend runs={set.runs} />}
      <QuestionList questions={set.questions} />
    </>
  );
}
