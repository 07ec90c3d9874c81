/** An act on facts, which also changes the words they tie. */
import { useAct } from "@/lib/act";

export function useFactChange<Input>(act: (input: Input) => Promise<unknown>, onDone?: () => void) {
  return useAct(act, [["facts"], ["vocabulary"]], onDone);
}
