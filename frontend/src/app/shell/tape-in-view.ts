/** The tape in view, or that of the topic in view: where a new topic goes when nothing waits or runs there. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { tapeQuery } from "@/features/tape/api/get-tape";
import { topicQuery } from "@/features/topics/api/get-topic";

export function useTapeInView(): number | undefined {
  const { topic, tape } = useParams({ strict: false });
  const { data } = useQuery({ ...topicQuery(Number(topic)), enabled: topic !== undefined });
  const { data: shown } = useQuery({ ...tapeQuery(Number(tape)), enabled: tape !== undefined });
  if (shown) return shown.mine && shown.archived_at === null ? shown.id : undefined;
  return data?.mine ? data.tape : undefined;
}
