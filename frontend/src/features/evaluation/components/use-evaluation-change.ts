/** An act on evaluation sets. */
import { useAct } from "@/lib/act";

export function useEvaluationChange<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  return useAct(act, [["evaluations"], ["evaluation"]], onDone);
}
