/** An act on a repository. */
import { useAct } from "@/lib/act";
import { repositoriesQuery } from "../api/list-repositories";

export function useChange<Input, Result>(
  act: (input: Input) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  return useAct(act, [repositoriesQuery.queryKey], onDone);
}
