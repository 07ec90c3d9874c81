/** An act on evaluation sets; lists and details are asked for anew once it has ended. */
import { useMutation, useQueryClient } from "@tanstack/react-query";

export function useEvaluationChange<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (result) => onDone?.(result),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ["evaluations"] }),
        cache.invalidateQueries({ queryKey: ["evaluation"] }),
      ]),
  });
}
