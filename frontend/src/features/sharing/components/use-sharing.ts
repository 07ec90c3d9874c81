/** What the sheet knows and does: who has the topic, opening it further, taking it back. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { sharesQuery, shareTopic, unshareTopic } from "../api/shares";

export function useSharing(topic: number) {
  const cache = useQueryClient();
  const shares = useQuery(sharesQuery(topic));
  const onSuccess = () => {
    for (const queryKey of [["shares", topic], ["topic", topic], ["topics"]]) {
      void cache.invalidateQueries({ queryKey });
    }
  };
  const share = useMutation({ mutationFn: shareTopic, onSuccess });
  const unshare = useMutation({ mutationFn: unshareTopic, onSuccess });
  const held = shares.data ?? [];
  return {
    loading: shares.isPending,
    failed: shares.error,
    held,
    company: held.find((each) => each.kind === "company"),
    share,
    unshare,
    trouble: share.error ?? unshare.error,
  };
}

export type Sharing = ReturnType<typeof useSharing>;
