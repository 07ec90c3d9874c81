/** What the sheet knows and does: who has the topic or the view, opening it further, taking it back. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ShareChange } from "@/api/types";
import { share as open, type Subject, sharesQuery, unshare as takeBack } from "../api/shares";

export function useSharing(subject: Subject) {
  const cache = useQueryClient();
  const shares = useQuery(sharesQuery(subject));
  const onSuccess = () => {
    const { kind, id } = subject;
    for (const queryKey of [["shares", kind, id], [kind, id], [`${kind}s`]]) {
      void cache.invalidateQueries({ queryKey });
    }
  };
  const share = useMutation({
    mutationFn: (change: ShareChange) => open(subject, change),
    onSuccess,
  });
  const unshare = useMutation({
    mutationFn: (opening: number) => takeBack(subject, opening),
    onSuccess,
  });
  const held = shares.data ?? [];
  return {
    kind: subject.kind,
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
