/** What the parts of the tape page share: the tape, what is selected and looked at, what a press does. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import type { Entry, TapeDetail } from "@/api/types";
import { meQuery } from "@/features/session/api/get-me";
import type { TapeLook } from "@/features/tape/components/tape-context";
import { kindsOf } from "@/features/tape/words/kinds";
import type { useTapeFilter } from "./tape-filter";

type Filter = Pick<ReturnType<typeof useTapeFilter>, "search" | "change">;

function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const onSelect = useCallback((seq: number) => {
    setSelected((before) => {
      const next = new Set(before);
      if (!next.delete(seq)) next.add(seq);
      return next;
    });
  }, []);
  const clear = useCallback(() => setSelected(new Set()), []);
  return { selected, onSelect, clear };
}

/** A question after an anchor: in the open topic, else as a new topic of this tape. */
function useAskFrom(tape: TapeDetail) {
  const navigate = useNavigate();
  const open = tape.topics.findLast((topic) => topic.status === "open")?.id;
  return useCallback(
    (anchor: number) => {
      if (open === undefined) {
        return void navigate({ to: "/", search: { tape: tape.id, after: anchor } });
      }
      const params = { topic: String(open) };
      return void navigate({ to: "/topics/$topic", params, search: { after: anchor } });
    },
    [navigate, open, tape.id],
  );
}

export function useTapeLook(tape: TapeDetail, { search, change }: Filter) {
  const { data: me } = useQuery(meQuery);
  const [correcting, onCorrect] = useState<Entry | null>(null);
  const { selected, onSelect, clear } = useSelection();
  const onAskFrom = useAskFrom(tape);
  const onGo = useCallback(
    (seq: number) => {
      document.getElementById(`entry-${seq}`)?.scrollIntoView({ block: "center" });
      const hidden = tape.forks.some(
        ({ state, first_seq: first, last_seq: last }) =>
          state === "discarded" && first !== null && seq >= first && seq <= (last ?? first),
      );
      // What one goes to must be among what is shown.
      const shown = { q: undefined, kind: undefined, view: undefined };
      change({ ...shown, ...(hidden ? { forks: 1 } : {}), entry: seq }, false);
    },
    [change, tape.forks],
  );
  const onCall = useCallback((turn: number, seq: number) => change({ turn, call: seq }), [change]);
  const look: TapeLook = useMemo(
    () => ({
      tape,
      people: [...(me ? [me] : []), ...(tape.owner ? [tape.owner] : [])],
      entry: search.entry,
      call: search.call,
      kinds: kindsOf(search.kind),
      forks: search.forks === 1,
      selected,
      mayWrite: tape.mine && tape.archived_at === null,
      onSelect,
      onGo,
      onCall,
      onCorrect,
      onAskFrom,
    }),
    [tape, me, search, selected, onSelect, onGo, onCall, onAskFrom],
  );
  return { look, correcting, stopCorrecting: () => onCorrect(null), clear };
}
