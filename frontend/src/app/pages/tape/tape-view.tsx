/** The tape page once the tape is there: anchors, entries, and what the model saw beside them. */
import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import type { TapeDetail } from "@/api/types";
import { AnchorRail } from "@/features/tape/components/anchor-rail";
import { CorrectDialog } from "@/features/tape/components/correct-dialog";
import { SawPanel } from "@/features/tape/components/saw-panel";
import { SelectionBar } from "@/features/tape/components/selection-bar";
import { TapeContext } from "@/features/tape/components/tape-context";
import { TapeHead } from "@/features/tape/components/tape-head";
import { ViewsMenu } from "@/features/tape/components/views-menu";
import { TapeTabs } from "../tape-tabs";
import { useAnchorInView } from "./anchor-in-view";
import { useTapeFilter } from "./tape-filter";
import { useTapeKeys } from "./tape-keys";
import { TapeList } from "./tape-list";
import { useTapeLook } from "./tape-look";

export function TapeView({ tape }: { tape: TapeDetail }) {
  const navigate = useNavigate();
  const filter = useTapeFilter();
  const { search, change, setText } = filter;
  const { look, correcting, stopCorrecting, clear } = useTapeLook(tape, filter);
  const here = useAnchorInView(tape.head);
  const closeCall = useCallback(() => change({ turn: undefined, call: undefined }), [change]);
  const go = (seq: number) => {
    setText("");
    look.onGo(seq);
  };
  const shown = { ...look, onGo: go };
  useTapeKeys({ tape: tape.id, here, onGo: go, onSelect: look.onSelect, onClose: closeCall });
  return (
    <main className="page tape-page">
      <TapeContext value={shown}>
        <TapeHead
          tape={tape}
          mayWrite={look.mayWrite}
          onReset={(id) => void navigate({ to: "/tapes/$tape", params: { tape: String(id) } })}
        />
        <TapeTabs />
        <div className="tape-grid">
          <div className="tape-side">
            <AnchorRail here={here} />
            <ViewsMenu open={search.view} onOpen={(view) => change({ view, q: undefined })} />
          </div>
          <TapeList filter={filter} />
          <SawPanel
            turn={search.turn}
            call={search.call}
            onCall={look.onCall}
            onGo={go}
            onClose={closeCall}
          />
        </div>
        <SelectionBar onClear={clear} onView={(view) => change({ view })} />
        {correcting && (
          <CorrectDialog tape={tape.id} seq={correcting.seq} onClose={stopCorrecting} />
        )}
      </TapeContext>
    </main>
  );
}
