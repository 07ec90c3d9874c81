import { fireEvent, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { show } from "@/testing/page";
import { server } from "@/testing/setup";
import { EvidenceBody } from "./evidence-body";

const repository = { id: 1, name: "billing" };
const commit = "7c1e9a2b1c";
const evidence = {
  id: 5,
  repository,
  branch: "main",
  commit,
  committed_at: "2026-11-28T09:00:00Z",
  indexed_at: "2026-11-28T13:58:00Z",
  path: "refunds/retry.py",
  start_line: 1,
  end_line: 1,
  valid: true,
  changed_since: false,
  missing: false,
  gone: false,
  total_lines: 1,
  language: "nothing-known",
  lines: [{ number: 1, text: "MAX = 3", cited: true }],
};

function symbol(number: number, cited = false) {
  return {
    symbol: `step_${number}`,
    kind: "function",
    start_line: number,
    end_line: number,
    cited,
  };
}

function place(path: string, line: number) {
  return {
    repository,
    branch: "main",
    commit,
    path,
    start_line: line,
    end_line: line,
    symbol: "retry",
    kind: "function",
    excerpt: "def retry(refund):",
  };
}

function answer(route: string, json: object) {
  server.use(http.get(`*/api/${route}`, () => HttpResponse.json(json)));
}

beforeEach(() => answer("evidence/5", evidence));

describe("beside the cited lines", () => {
  it("are about ten definitions around the cited one, which is marked, and then all", async () => {
    const symbols = Array.from({ length: 40 }, (_, index) => symbol(index + 1, index === 19));
    answer("evidence/5/outline", { unavailable: null, symbols });
    const { container } = show(<EvidenceBody id={5} />);
    fireEvent.click(await screen.findByRole("tab", { name: "Outline" }));
    await screen.findByText("step_20");
    expect(container.querySelectorAll(".outline li")).toHaveLength(10);
    expect(container.querySelector(".outline .cited")?.textContent).toContain("step_20");
    fireEvent.click(screen.getByRole("button", { name: "Show all 40 definitions" }));
    expect(container.querySelectorAll(".outline li")).toHaveLength(40);
  });

  it("stands who last changed them, and the commits of their file", async () => {
    const change = {
      commit,
      author: "周然",
      date: "2026-11-12T09:00:00Z",
      summary: "重试改为三次",
    };
    answer("evidence/5/blame", {
      unavailable: null,
      spans: [{ ...change, start_line: 1, end_line: 1 }],
    });
    answer("evidence/5/log", { unavailable: null, commits: [{ ...change, summary: "First" }] });
    show(<EvidenceBody id={5} />);
    fireEvent.click(await screen.findByRole("tab", { name: "Blame" }));
    await screen.findByText("重试改为三次");
    await screen.findByText("First");
  });

  it("says why there is no history to tell", async () => {
    answer("evidence/5/blame", { unavailable: "no_history", spans: [] });
    answer("evidence/5/log", { unavailable: "no_history", commits: [] });
    show(<EvidenceBody id={5} />);
    fireEvent.click(await screen.findByRole("tab", { name: "Blame" }));
    await screen.findByText("The source is a plain folder: it keeps no history.");
  });

  it("opens a use of a name in the same panel, with the way back", async () => {
    answer("evidence/5/outline", { unavailable: null, symbols: [symbol(1, true)] });
    answer("evidence/5/symbol", {
      unavailable: null,
      definitions: [place("refunds/retry.py", 1)],
      uses: [place("jobs/nightly.py", 9)],
    });
    answer("repositories/1/lines", {
      ...place("jobs/nightly.py", 9),
      unavailable: null,
      committed_at: null,
      total_lines: 9,
      language: "nothing-known",
      lines: [{ number: 9, text: "retry(refund)", cited: true }],
    });
    show(<EvidenceBody id={5} />);
    fireEvent.click(await screen.findByRole("tab", { name: "Outline" }));
    fireEvent.click(await screen.findByRole("button", { name: "Uses of step_1" }));
    const uses = await screen.findByRole("list", { name: "Used in 1 place" });
    fireEvent.click(uses.querySelector("button") as HTMLElement);
    await screen.findByText("retry(refund)");
    fireEvent.click(screen.getByRole("button", { name: "Back" }));
    await screen.findByRole("list", { name: "Used in 1 place" });
    fireEvent.click(screen.getByRole("button", { name: "Back" }));
    await screen.findByRole("tab", { name: "Outline" });
  });

  it("is told that the file is gone, and its lines are shown all the same", async () => {
    answer("evidence/5", { ...evidence, gone: true, changed_since: true });
    const { container } = show(<EvidenceBody id={5} />);
    await screen.findByText("MAX = 3");
    expect(container.querySelector(".changed")?.textContent).toContain(
      "This file is gone from main. It still opens at the commit",
    );
  });
});
