/** An act on the vocabulary. */
import { useAct } from "@/lib/act";

export function useCorrection<Input>(act: (input: Input) => Promise<unknown>, onDone?: () => void) {
  return useAct(act, [["vocabulary"]], onDone);
}
