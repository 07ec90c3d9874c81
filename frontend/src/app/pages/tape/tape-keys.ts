/** Keys of the tape page: J K move, X selects, [ ] go to the neighbouring anchors, Esc closes. */
import { useQuery } from "@tanstack/react-query";
import { anchorsQuery } from "@/features/tape/api/get-anchors";
import { useShortcuts } from "@/lib/keys";
import { useRowKeys } from "../row-keys";

type Props = {
  tape: number;
  here: number | undefined;
  onGo: (seq: number) => void;
  onSelect: (seq: number) => void;
  onClose: () => void;
};

function focusedSeq(): number | undefined {
  const row = document.activeElement;
  const seq = row instanceof HTMLElement ? Number(row.dataset.row) : 0;
  return seq > 0 ? seq : undefined;
}

export function useTapeKeys({ tape, here = 0, onGo, onSelect, onClose }: Props): void {
  const { data: anchors = [] } = useQuery(anchorsQuery(tape));
  const go = (seq: number | undefined) => {
    if (seq !== undefined) onGo(seq);
  };
  useRowKeys();
  useShortcuts({
    "[": () => go(anchors.findLast((each) => each.seq < here)?.seq),
    "]": () => go(anchors.find((each) => each.seq > here)?.seq),
    x: () => {
      const seq = focusedSeq();
      if (seq !== undefined) onSelect(seq);
    },
    Escape: onClose,
  });
}
