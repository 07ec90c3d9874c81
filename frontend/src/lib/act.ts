/** Something a person does: what shows its effect is asked for anew once it has ended, well or not. */
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { problemText } from "./problems";

export function useAct<Input, Result>(
  act: (input: Input) => Promise<Result>,
  affected: QueryKey[],
  onDone?: (result: Result) => void,
) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const acting = useMutation({
    mutationFn: act,
    onSuccess: (result) => onDone?.(result),
    onSettled: () => Promise.all(affected.map((queryKey) => cache.invalidateQueries({ queryKey }))),
  });
  return { ...acting, trouble: acting.error ? problemText(acting.error, t) : null };
}
