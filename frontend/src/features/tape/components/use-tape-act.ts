/** An act on a tape; whatever is shown of it is asked for anew once it has ended. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { problemText } from "@/lib/problems";

const touched = [["tape"], ["tapes"], ["views"], ["view"], ["entries"], ["topic"], ["topics"]];

export function useTapeAct<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const doing = useMutation({
    mutationFn: act,
    onSuccess: (result) => onDone?.(result),
    onSettled: () => {
      for (const queryKey of touched) void cache.invalidateQueries({ queryKey });
    },
  });
  return { ...doing, trouble: doing.error ? problemText(doing.error, t) : null };
}
