import { fireEvent, screen, waitFor } from "@testing-library/react";
import i18next from "i18next";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { show } from "@/testing/page";
import { aRepository } from "@/testing/repository";
import { server } from "@/testing/setup";
import { AddDialog } from "./add-dialog";

function type(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

function refuse(code: string, details: object) {
  server.use(
    http.post("*/api/repositories", () =>
      HttpResponse.json({ error: { code, message: "In English.", details } }, { status: 400 }),
    ),
  );
}

beforeEach(() => {
  server.use(
    http.get("*/api/groups", () =>
      HttpResponse.json({ results: [{ id: 3, name: "支付组", people: 18 }] }),
    ),
    http.get("*/api/repositories", () => HttpResponse.json({ results: [] })),
  );
});

describe("adding a repository", () => {
  it("sends what was filled in, with the groups that were ticked", async () => {
    const sent = vi.fn();
    const onAdded = vi.fn();
    server.use(
      http.post("*/api/repositories", async ({ request }) => {
        sent(await request.json());
        return HttpResponse.json(aRepository({ id: 7 }), { status: 201 });
      }),
    );
    show(<AddDialog onClose={() => {}} onAdded={onAdded} />);
    type("Name", "billing");
    type("Source", "https://git.example.com/pay/billing.git");
    type("Branches", "main, release/2026.11");
    fireEvent.click(await screen.findByLabelText(/支付组/));
    fireEvent.click(screen.getByRole("button", { name: "Add and index", hidden: true }));
    await waitFor(() => expect(onAdded).toHaveBeenCalled());
    expect(sent).toHaveBeenCalledWith({
      name: "billing",
      source: "https://git.example.com/pay/billing.git",
      branches: ["main", "release/2026.11"],
      groups: [3],
      description: { zh: "", en: "" },
    });
  });

  it("tells a refusal beside its field, in the reader's language", async () => {
    await i18next.changeLanguage("zh");
    refuse("bad_source", { field: "source", reason: "credentials_in_address" });
    show(<AddDialog onClose={() => {}} onAdded={() => {}} />);
    type("来源", "https://me:secret@git.example.com/x.git");
    fireEvent.click(screen.getByRole("button", { name: "添加并索引", hidden: true }));
    const told = await screen.findByText("凭据不能写在地址里，请填在下面。");
    const source = screen.getByLabelText("来源");
    expect(source.getAttribute("aria-describedby")).toContain(told.id);
    expect(source.getAttribute("aria-invalid")).toBe("true");
  });

  it("tells at the end of the form what belongs to no field, in the server's words if need be", async () => {
    refuse("some_new_code", {});
    show(<AddDialog onClose={() => {}} onAdded={() => {}} />);
    fireEvent.click(screen.getByRole("button", { name: "Add and index", hidden: true }));
    await screen.findByText("In English.");
  });
});
