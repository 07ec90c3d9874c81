/** Evaluation: a company's own questions with known places, and how often search finds them. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isRefused } from "@/api/errors";
import type { EvaluationSet } from "@/api/types";
import { Failure } from "@/components/failure";
import { Icon } from "@/components/icon";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { evaluationsQuery } from "@/features/evaluation/api/list-evaluations";
import { SetDetail } from "@/features/evaluation/components/set-detail";
import { SetDialog } from "@/features/evaluation/components/set-dialog";
import { SetRow } from "@/features/evaluation/components/set-row";
import { usePageTitle } from "@/lib/page-title";
import { useRowKeys } from "./row-keys";

function Sets({ sets, chosen }: { sets: EvaluationSet[]; chosen: EvaluationSet }) {
  return (
    <nav className="card pick-list" aria-labelledby="page-title">
      {sets.map((set) => (
        <Link
          key={set.id}
          to="/evaluation"
          search={{ set: set.id }}
          className="pick-row"
          data-row
          resetScroll={false}
          aria-current={set.id === chosen.id ? "true" : undefined}
        >
          <SetRow set={set} />
        </Link>
      ))}
    </nav>
  );
}

function Chosen({ set }: { set: EvaluationSet }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <section className="card pick-detail" aria-label={set.name}>
      <Link className="only-narrow back-link" to="/evaluation">
        <Icon name="previous" />
        {t("evaluation.title")}
      </Link>
      <SetDetail key={set.id} id={set.id} onRemoved={() => void navigate({ to: "/evaluation" })} />
    </section>
  );
}

function AddSet() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  return (
    <>
      <button type="button" className="button primary" onClick={() => setAdding(true)}>
        <Icon name="plus" />
        {t("evaluation.add")}
      </button>
      {adding && (
        <SetDialog
          set={null}
          onClose={() => setAdding(false)}
          onSaved={({ id }) => void navigate({ to: "/evaluation", search: { set: id } })}
        />
      )}
    </>
  );
}

export function EvaluationPage() {
  const { t } = useTranslation();
  const { set: wanted } = useSearch({ from: "/shell/evaluation" });
  const { data: sets, error, isPending, refetch } = useQuery(evaluationsQuery);
  const chosen = sets?.find((set) => set.id === wanted) ?? sets?.[0];
  usePageTitle(t("evaluation.title"));
  useRowKeys();
  if (isRefused(error)) {
    return (
      <main className="page lone">
        <StatePanel
          heading="h1"
          icon="lock"
          title={t("states.forbidden")}
          text={t("evaluation.forbidden")}
        />
      </main>
    );
  }
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1 id="page-title">{t("evaluation.title")}</h1>
          <p>{t("evaluation.lead")}</p>
        </div>
        <AddSet />
      </header>
      {isPending && <Skeleton text={t("states.loadingEvaluation")} />}
      {error && !sets && (
        <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />
      )}
      {sets?.length === 0 && (
        <div className="card">
          <StatePanel
            icon="evaluation"
            title={t("evaluation.empty")}
            text={t("evaluation.emptyHint")}
          />
        </div>
      )}
      {sets && chosen && (
        <div className={wanted ? "pick chosen" : "pick"}>
          <Sets sets={sets} chosen={chosen} />
          <Chosen set={chosen} />
        </div>
      )}
    </main>
  );
}
