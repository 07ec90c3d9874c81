/** Finishes a topic; nothing is lost by it, so it asks nothing back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { TopicDetail } from "@/api/types";
import { finalizeTopic } from "../api/finalize-topic";

export function FinishButton({ topic }: { topic: TopicDetail }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const finish = useMutation({
    mutationFn: () => finalizeTopic(topic.id),
    onSuccess: () => {
      for (const queryKey of [["topic", topic.id], ["topics"], ["preview"]]) {
        void cache.invalidateQueries({ queryKey });
      }
    },
  });
  if (topic.status !== "open" || !topic.mine) return null;
  if (topic.finalize_requested) return <span className="tag">{t("topic.finishing")}</span>;
  return (
    <>
      {finish.isError && (
        <span className="small bad" role="alert">
          {t("topic.notFinished")}
        </span>
      )}
      <button
        type="button"
        className="button small-button"
        disabled={finish.isPending}
        onClick={() => finish.mutate()}
      >
        {t("topic.finish")}
      </button>
    </>
  );
}
