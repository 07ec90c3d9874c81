/** What an experiment is, and its asker's choice: keep it while it runs, or ask again afterwards. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Turn } from "@/api/types";
import { Icon } from "@/components/icon";
import { askAgain } from "../api/ask-again";
import { keepTurn } from "../api/keep-turn";
import type { TurnStory } from "../fold/shapes";

type Props = { story: TurnStory; row: Turn | undefined; ended: boolean; mine: boolean };

export function Experiment({ story, row, ended, mine }: Props) {
  const { t } = useTranslation();
  return (
    <p className="experiment small">
      <Icon name="tape" />
      <span className="grow">{t(ended ? "experiment.discarded" : "experiment.running")}</span>
      {mine && !ended && <Keep turn={story.turn} />}
      {mine && ended && row && story.question && <AskAgain turn={row} text={story.question.text} />}
    </p>
  );
}

function Keep({ turn }: { turn: number }) {
  const { t } = useTranslation();
  const keep = useMutation({ mutationFn: () => keepTurn(turn) });
  return (
    <>
      {keep.isError && <span role="alert">{t("experiment.notKept")}</span>}
      <button
        type="button"
        className="button small-button"
        disabled={keep.isPending || keep.isSuccess}
        onClick={() => keep.mutate()}
      >
        {t("experiment.keep")}
      </button>
    </>
  );
}

function AskAgain({ turn, text }: { turn: Turn; text: string }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  // One key for this turn, so that a double click asks once.
  const again = useMutation({
    mutationFn: () => askAgain(turn.topic, text, `again-${turn.id}`),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["topic", turn.topic] }),
  });
  return (
    <>
      {again.isError && <span role="alert">{t("experiment.notAsked")}</span>}
      <button
        type="button"
        className="button small-button"
        disabled={again.isPending || again.isSuccess}
        onClick={() => again.mutate()}
      >
        {t("experiment.again")}
      </button>
    </>
  );
}
