/** Stop: red where it ends something that runs. */
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { stopTurn } from "../api/stop-turn";

export function useStop(turn: number) {
  return useMutation({ mutationKey: ["stop", turn], mutationFn: () => stopTurn(turn) });
}

type Props = { turn: number; running?: boolean };

export function StopButton({ turn, running = false }: Props) {
  const { t } = useTranslation();
  const stop = useStop(turn);
  const pressed = stop.isPending || stop.isSuccess;
  return (
    <>
      {stop.isError && <span role="alert">{t("turn.notStopped")}</span>}
      <button
        type="button"
        className={running ? "button small-button stop" : "button small-button"}
        disabled={pressed}
        onClick={() => stop.mutate()}
      >
        {running && <Icon name="stop" />}
        {pressed ? t("turn.stopping") : t("turn.stop")}
      </button>
    </>
  );
}
