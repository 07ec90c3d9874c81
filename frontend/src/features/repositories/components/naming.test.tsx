import { fireEvent, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Repository } from "@/api/types";
import { show } from "@/testing/page";
import { aRepository } from "@/testing/repository";
import { server } from "@/testing/setup";
import { Naming } from "./naming";

const branch = { commit: "a".repeat(40), committed_at: null, indexed_at: null };
const shop = aRepository({
  id: 7,
  name: "shop",
  default_branch: "main",
  branches: ["main", "release"].map((name) => ({ ...branch, name })) as Repository["branches"],
});

const sent = vi.fn();

beforeEach(() => {
  sent.mockClear();
  server.use(
    http.get("*/api/repositories", () => HttpResponse.json({ results: [] })),
    http.patch("*/api/repositories/7", async ({ request }) => {
      sent(await request.json());
      return HttpResponse.json(shop);
    }),
  );
});

describe("what a repository is called", () => {
  it("is changed by another name, and only then", async () => {
    show(<Naming repository={shop} />);
    expect(screen.queryByRole("button", { name: "Rename" })).toBeNull();
    fireEvent.change(screen.getByLabelText("Name"), { target: { value: " billing " } });
    fireEvent.click(screen.getByRole("button", { name: "Rename" }));
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ name: "billing" }));
  });
});

describe("the branch asked by default", () => {
  it("is chosen among those that are followed", async () => {
    show(<Naming repository={shop} />);
    fireEvent.change(screen.getByRole("combobox"), { target: { value: "release" } });
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ default_branch: "release" }));
  });

  it("is no choice where only one is followed", () => {
    show(<Naming repository={{ ...shop, branches: shop.branches.slice(0, 1) }} />);
    expect(screen.queryByRole("combobox")).toBeNull();
  });
});
