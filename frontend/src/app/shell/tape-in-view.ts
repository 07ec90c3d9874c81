/** The tape of the topic in view: where a new topic goes when nothing waits or runs there. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { topicQuery } from "@/features/topics/api/get-topic";

export function useTapeInView(): number | undefined {
  const { topic } = useParams({ strict: false });
  const { data } = useQuery({ ...topicQuery(Number(topic)), enabled: topic !== undefined });
  return data?.mine ? data.tape : undefined;
}
