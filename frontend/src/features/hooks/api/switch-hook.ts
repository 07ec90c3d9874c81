import { api, body } from "@/api/client";

/** Switches a hook on or off, wherever it stands; audited. */
export async function switchHook({ path, on }: { path: string; on: boolean }) {
  const params = { path: { path } };
  return (await body(api.PATCH("/api/hooks/{path}", { params, body: { on } }))).results;
}
