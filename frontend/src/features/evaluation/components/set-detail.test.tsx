import { fireEvent, screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import type { EvaluationDetail, EvaluationRun, Measures } from "@/api/types";
import { show } from "@/testing/page";
import { server } from "@/testing/setup";
import { SetDetail } from "./set-detail";
import { SetDialog } from "./set-dialog";

function measures(share: number, questions = 2): Measures {
  return {
    questions,
    repo_at_1: share,
    file_at_1: share,
    file_at_5: share,
    file_at_10: share,
    mrr: share,
    span_at_10: null,
    all_at_10: share,
  };
}

function run(id: number, share: number): EvaluationRun {
  const at = `2026-11-2${id}T09:00:00Z`;
  return {
    id,
    at,
    trigger: "index",
    seconds: 1.5,
    all: measures(share),
    zh: measures(share, 1),
    en: measures(1, 1),
  };
}

const place = { repository: "billing", path: "refunds/retry.py" };
const set: EvaluationDetail = {
  id: 4,
  name: "Refunds",
  running: false,
  last: run(2, 0.5),
  owner: { id: 2, display_name: "林悦" },
  may_edit: true,
  error: "",
  source: "",
  questions: [
    {
      id: "1",
      question: "退款失败后会自动重试吗？",
      language: "zh",
      places: [place],
      withheld: false,
      outcome: { repo_first: true, file_rank: 1, found: true, first: place },
    },
    {
      id: "2",
      question: "Who may cancel?",
      language: "en",
      places: [place],
      withheld: false,
      outcome: {
        repo_first: false,
        file_rank: 3,
        found: true,
        first: { repository: "orders", path: "cancel.py" },
      },
    },
  ],
  runs: [run(2, 0.5), run(1, 0.25)],
};

describe("a set of questions", () => {
  it("shows each question's outcome, and what came first instead", async () => {
    server.use(http.get("*/api/evaluations/4", () => HttpResponse.json(set)));
    show(<SetDetail id={4} onRemoved={() => {}} />);
    const missed = (await screen.findByText("Who may cancel?")).closest("li");
    expect(missed?.textContent).toContain("3rd place");
    expect(missed?.textContent).toContain("orders/cancel.py");
    fireEvent.click(screen.getByLabelText("Only those not found first (1)"));
    expect(screen.queryByText("退款失败后会自动重试吗？")).toBeNull();
  });

  it("says in a table what the plot of its trend shows", async () => {
    server.use(http.get("*/api/evaluations/4", () => HttpResponse.json(set)));
    const { container } = show(<SetDetail id={4} onRemoved={() => {}} />);
    const table = await screen.findByLabelText("Runs");
    const rows = within(table).getAllByRole("row");
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining("repo@1"),
      expect.stringContaining("50%"),
      expect.stringContaining("25%"),
    ]);
    expect(container.querySelectorAll(".series.s1 circle")).toHaveLength(2);
  });

  it("names the line that cannot be read, and shows it", async () => {
    server.use(
      http.post("*/api/evaluations", () =>
        HttpResponse.json(
          { error: { code: "bad_line", message: "", details: { line: 2, problem: "not_json" } } },
          { status: 400 },
        ),
      ),
    );
    show(<SetDialog set={null} onClose={() => {}} />);
    const lines = '{"id": "1"}\n{"id": oops}';
    fireEvent.change(screen.getByLabelText(/one JSON object a line/), { target: { value: lines } });
    fireEvent.click(screen.getByRole("button", { name: "Save", hidden: true }));
    await screen.findByText("Line 2 is not a JSON object.");
    expect(screen.getByText('{"id": oops}').className).toBe("bad-line");
  });
});
