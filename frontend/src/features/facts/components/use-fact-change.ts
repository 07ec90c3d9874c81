/** An act on facts; what shows facts or the words they tie is asked for anew once it has ended. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { problemText } from "@/lib/problems";

export function useFactChange<Input>(act: (input: Input) => Promise<unknown>, onDone?: () => void) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: act,
    onSuccess: () => onDone?.(),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ["facts"] }),
        cache.invalidateQueries({ queryKey: ["vocabulary"] }),
      ]),
  });
  return { ...change, trouble: change.error ? problemText(change.error, t) : null };
}
