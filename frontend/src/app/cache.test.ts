import { QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { ApiError } from "@/api/errors";
import { createCache } from "./cache";

function refused(status: number): ApiError {
  return new ApiError(status, "refused", "", null, null);
}

async function afterwards(status: number): Promise<unknown> {
  const cache = createCache();
  let answer = () => Promise.resolve("a view's words");
  const view = new QueryObserver(cache, { queryKey: ["view", 3], queryFn: () => answer() });
  const leave = view.subscribe(() => undefined);
  await expect.poll(() => view.getCurrentResult().data).toBe("a view's words");
  answer = () => Promise.reject(refused(status));
  const { data, error } = await view.refetch();
  expect(error).toEqual(refused(status));
  leave();
  return data;
}

it("shows nothing any longer of what has been closed to its reader", async () => {
  expect(await afterwards(404)).toBeUndefined();
  expect(await afterwards(403)).toBeUndefined();
});

it("keeps what is shown when the server cannot answer for it now", async () => {
  expect(await afterwards(409)).toBe("a view's words");
});
