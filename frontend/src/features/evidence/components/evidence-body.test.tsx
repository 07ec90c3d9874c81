import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { server } from "@/testing/setup";
import { EvidenceBody } from "./evidence-body";

const evidence = {
  id: 5,
  repository: { id: 1, name: "billing" },
  branch: "main",
  commit: "7c1e9a2b1c",
  committed_at: "2026-11-28T09:00:00Z",
  indexed_at: "2026-11-28T13:58:00Z",
  path: "refunds/retry.py",
  start_line: 2,
  end_line: 3,
  valid: true,
  changed_since: false,
  missing: false,
  total_lines: 4,
  language: "nothing-known",
  lines: [
    { number: 1, text: "import x", cited: false },
    { number: 2, text: "MAX = 3", cited: true },
    { number: 3, text: "", cited: true },
    { number: 4, text: "def f():", cited: false },
  ],
};

function show(answer: object, status = 200) {
  server.use(http.get("*/api/evidence/5", () => HttpResponse.json(answer, { status })));
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={cache}>
      <EvidenceBody id={5} />
    </QueryClientProvider>,
  );
}

describe("evidence", () => {
  it("shows where it is and marks the cited lines", async () => {
    const { container } = show(evidence);
    await screen.findByText("Checked against the commit");
    expect(container.querySelector("h2")?.textContent).toBe("billing / refunds / retry.py");
    expect(container.textContent).toContain("7c1e9a2");
    const marked = [...container.querySelectorAll("tr.cited")].map((row) =>
      row.getAttribute("data-line"),
    );
    expect(marked).toEqual(["2", "3"]);
  });

  it("says that the branch has moved, and that the lines shown are those the answer rests on", async () => {
    const { container } = show({ ...evidence, changed_since: true });
    await screen.findByText("changed since");
    const line = { kind: "same", before: 1, now: 1, text: "def retry():" };
    const lines = [
      line,
      { ...line, kind: "gone", before: 2, now: null, text: "    return 3" },
      { ...line, kind: "new", before: null, now: 2, text: "    return 5" },
    ];
    server.use(
      http.get("*/api/evidence/:id/change", () =>
        HttpResponse.json({ commit: "b".repeat(40), lines, unavailable: null }),
      ),
    );
    fireEvent.click(screen.getByRole("button", { name: "See the change" }));
    await screen.findByText(/return 5/);
    expect(container.querySelector("del")?.textContent).toContain("return 3");
    expect(container.querySelector("ins")?.textContent).toContain("return 5");
    fireEvent.click(screen.getByRole("button", { name: "Back to the cited version" }));
    await waitFor(() => expect(container.querySelector("ins")).toBeNull());
    expect(container.querySelector(".changed")?.textContent).toContain("main has moved");
  });

  it("says when the lines do not match what was cited", async () => {
    show({ ...evidence, valid: false });
    await screen.findByText("The lines do not match what was cited");
  });

  it("C7 names nothing of code that one may not read", async () => {
    const problem = {
      error: { code: "not_found", message: "There is nothing here.", details: {} },
    };
    const { container } = show(problem, 404);
    await screen.findByText("This code is not open to you");
    expect(container.textContent).not.toContain("billing");
  });

  it("says when the commit is gone", async () => {
    show({ ...evidence, missing: true, lines: [] });
    await screen.findByText("These lines can no longer be read");
  });

  it("offers to try again, with the request's number, when the service fails", async () => {
    const problem = { error: { code: "failed", message: "x", details: { request: "req-8f21c0" } } };
    show(problem, 500);
    await screen.findByRole("button", { name: "Try again" });
    screen.getByText("req-8f21c0");
  });
});
