/** What stays at the bottom: what is running now, with Stop, and where to ask on. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Asked, TopicDetail } from "@/api/types";
import { Composer } from "@/features/questions/components/composer";
import { readableQuery } from "@/features/repositories/api/list-repositories";
import { StatusLine } from "@/features/transcript/components/status-line";
import type { Chapter } from "@/features/transcript/fold/chapters";
import { useLive } from "../../live/live-context";
import { useAfterAnchor } from "../after-anchor";

type Props = { topic: TopicDetail; running: Chapter | undefined; onAsked: () => void };

export function Dock({ topic, running, onAsked }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { after: anchor } = useSearch({ from: "/shell/topics/$topic" });
  const after = useAfterAnchor(topic.tape, anchor);
  const leaveAnchor = () =>
    void navigate({
      to: "/topics/$topic",
      params: { topic: String(topic.id) },
      resetScroll: false,
    });
  const { connection } = useLive();
  const { data: repositories = [] } = useQuery(readableQuery);
  const asked = ({ topic: where, continued_from: from }: Asked) => {
    if (where.id === topic.id) {
      if (anchor) leaveAnchor();
      return onAsked();
    }
    const search = from ? { continued: 1 } : {};
    return void navigate({ to: "/topics/$topic", params: { topic: String(where.id) }, search });
  };
  return (
    <div className="dock">
      {running && <StatusLine chapter={running} mine={topic.mine} />}
      {!topic.mine && !topic.shared_with_me && (
        <p className="small-text muted">{t("topic.readOnly")}</p>
      )}
      {(topic.mine || topic.shared_with_me) && (
        <Composer
          place={{ topic: topic.id, ...after }}
          repositories={repositories}
          offline={connection === "offline"}
          onAsked={asked}
          onLeaveAnchor={leaveAnchor}
          own={topic.mine}
        />
      )}
    </div>
  );
}
