/** An act on budgets or prices; whatever rests on them is asked for anew once it has ended. */
import { useMutation, useQueryClient } from "@tanstack/react-query";

export function useCostChange<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (result) => onDone?.(result),
    onSettled: () =>
      Promise.all(
        ["costs", "budgets", "prices"].map((key) => cache.invalidateQueries({ queryKey: [key] })),
      ),
  });
}
