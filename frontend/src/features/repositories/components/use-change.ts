/** An act on a repository; the list is asked for anew once it has ended, well or not. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { problemText } from "@/lib/problems";
import { repositoriesQuery } from "../api/list-repositories";

export function useChange<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: act,
    onSuccess: (result) => onDone?.(result),
    onSettled: () => cache.invalidateQueries({ queryKey: repositoriesQuery.queryKey }),
  });
  const trouble = change.error ? problemText(change.error, t) : null;
  return { ...change, trouble };
}
