/** Keeps a topic at the top of one's list, or takes it down again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Topic } from "@/api/types";
import { Icon } from "@/components/icon";
import { problemText } from "@/lib/problems";
import { pinTopic } from "../api/pin-topic";
import { titleOf } from "../words/title";

export function PinButton({ topic }: { topic: Pick<Topic, "id" | "title" | "pinned"> }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const pin = useMutation({
    mutationFn: pinTopic,
    onSuccess: () => cache.invalidateQueries({ queryKey: ["topics"] }),
  });
  return (
    <>
      {pin.error && (
        <span className="small bad" role="alert">
          {problemText(pin.error, t)}
        </span>
      )}
      <button
        type="button"
        className="icon-button"
        aria-pressed={topic.pinned}
        aria-label={t("topics.pin", { title: titleOf(topic, t) })}
        disabled={pin.isPending}
        onClick={() => pin.mutate({ id: topic.id, pinned: !topic.pinned })}
      >
        <Icon name="pin" />
      </button>
    </>
  );
}
