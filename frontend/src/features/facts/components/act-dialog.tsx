/** The dialog of an act that needs words, for the fact it was asked for. */
import type { Fact } from "@/api/types";
import { EditDialog } from "./edit-dialog";
import type { FactAct } from "./fact-acts";
import { ReasonDialog } from "./reason-dialog";

export type Acting = { act: FactAct; fact: Fact };

export function ActDialog({ acting, onClose }: { acting: Acting; onClose: () => void }) {
  const { act, fact } = acting;
  if (act === "edit") return <EditDialog fact={fact} onClose={onClose} />;
  return <ReasonDialog act={act} fact={fact} onClose={onClose} />;
}
