import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { askAnew } from "./ask-anew";

it("does not take a first answer that was begun before the change for a fresh one", async () => {
  const cache = new QueryClient();
  const answers: ((facts: string[]) => void)[] = [];
  const queryFn = () => new Promise<string[]>((resolve) => answers.push(resolve));
  const options = { queryKey: ["facts", { topic: 7 }], queryFn };
  const leave = new QueryObserver(cache, options).subscribe(() => undefined);

  const asked = askAnew(cache, ["facts"]);
  answers[0]?.([]);
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(["drawn meanwhile"]);
  await asked;

  expect(cache.getQueryData(options.queryKey)).toEqual(["drawn meanwhile"]);
  leave();
});
