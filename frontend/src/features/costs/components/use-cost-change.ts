/** An act on budgets or prices, and with them on what things cost. */
import { useAct } from "@/lib/act";

export function useCostChange<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  return useAct(act, [["costs"], ["budgets"], ["prices"]], onDone);
}
