import { api } from "@/api/client";

/** Lets exactly these groups read a repository. */
export function setGrants(id: number, groups: number[]) {
  return api.PUT("/api/repositories/{repository_id}/grants", {
    params: { path: { repository_id: id } },
    body: { groups },
  });
}
