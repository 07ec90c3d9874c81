/** What is selected in the list, and finishing it; for many it asks first. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FinishedTopic, Topic } from "@/api/types";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Icon } from "@/components/icon";
import { problemText } from "@/lib/problems";
import { finalizeTopics } from "../api/finalize-topics";

const outcomes = ["finished", "waits", "refused", "not_yours"] as const;

/** "2 finished · 1 waits for its answer · 1 refused: …". */
function useTold(done: FinishedTopic[] | undefined): string {
  const { t } = useTranslation();
  if (!done) return "";
  const told = outcomes.flatMap((outcome) => {
    const of = done.filter((each) => each.outcome === outcome);
    const reason = of.find((each) => each.reason)?.reason ?? "";
    return of.length ? [t(`topics.outcome.${outcome}`, { count: of.length, reason })] : [];
  });
  return told.join(" · ");
}

type Props = { selected: Topic[]; onClear: () => void };

export function BulkBar({ selected, onClear }: Props) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [asking, setAsking] = useState(false);
  const finish = useMutation({
    mutationFn: finalizeTopics,
    onSuccess: () => {
      setAsking(false);
      onClear();
      for (const queryKey of [["topics"], ["topic"], ["preview"]]) {
        void cache.invalidateQueries({ queryKey });
      }
    },
  });
  const told = useTold(finish.data?.results);
  const open = selected.filter((topic) => topic.mine && topic.status === "open");
  if (selected.length === 0) {
    return told ? (
      <p className="bulk-bar" role="status">
        {told}
      </p>
    ) : null;
  }
  return (
    <div className="bulk-bar">
      <span className="grow" role="status">
        {t("topics.selected", { count: selected.length })}
      </span>
      <button
        type="button"
        className="button small-button"
        disabled={open.length === 0}
        onClick={() => setAsking(true)}
      >
        {t("topics.finishMany", { count: open.length })}
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={t("topics.clearSelection")}
        onClick={onClear}
      >
        <Icon name="close" />
      </button>
      {asking && (
        <ConfirmDialog
          title={t("topics.finishMany", { count: open.length })}
          text={t("topics.finishManyHint")}
          act={t("topics.finishAct")}
          busy={finish.isPending}
          trouble={finish.error ? problemText(finish.error, t) : null}
          onConfirm={() => finish.mutate(open.map(({ id }) => id))}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
