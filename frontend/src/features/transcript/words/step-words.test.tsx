import { render } from "@testing-library/react";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { called, returned, tape } from "@/testing/tape";
import { fold } from "../fold/fold";
import { stepDone, stepRunning } from "./step-words";

function told(name: string, args: object, data?: object): string {
  const lines = data
    ? [called("a", name, args), returned("a", name, data)]
    : [called("a", name, args)];
  const step = fold(tape(...lines)).turns[0]?.steps[0];
  if (!step) throw new Error("a step was called");
  return (
    render(<p>{data ? stepDone(step, i18next.t) : stepRunning(step, i18next.t)}</p>).container
      .textContent ?? ""
  );
}

const search = { query: "refund", places: 23, repositories: ["billing", "gateway"] };
const read = { repository: "billing", path: "retry.py", start_line: 1, end_line: 58 };

describe("steps in people's words", () => {
  it("say in English what was done", () => {
    expect(told("search_code", {}, search)).toBe(
      "Searched code for refund, 23 places in 2 repositories",
    );
    expect(told("search_code", {}, { ...search, places: 1, repositories: ["billing"] })).toBe(
      "Searched code for refund, 1 place",
    );
    expect(told("search_code", {}, { ...search, places: 0 })).toBe(
      "Searched code for refund, nothing found",
    );
    expect(told("read_lines", {}, read)).toBe("Read billing/retry.py 1–58");
    expect(told("list_files", {}, { repository: "billing", prefix: "refunds/", files: 3 })).toBe(
      "Listed files in billing/refunds/, 3 files",
    );
    expect(told("find_symbol", {}, { name: "Permanent", definitions: [], uses: [{}, {}] })).toBe(
      "Found symbol Permanent, used in 2 places",
    );
  });

  it("say in Chinese what was done", async () => {
    await i18next.changeLanguage("zh");
    expect(told("search_code", {}, { ...search, query: "退款" })).toBe(
      "搜索代码 「退款」，2 个仓库里找到 23 处",
    );
    expect(told("read_lines", {}, read)).toBe("读 billing/retry.py 1–58");
  });

  it("tell what was learnt of a file's shape and history", async () => {
    const file = { repository: "billing", path: "retry.py" };
    expect(told("outline", {}, { ...file, symbols: 12 })).toBe(
      "Outlined billing/retry.py, 12 definitions",
    );
    expect(told("blame", {}, { ...file, start_line: 3, end_line: 9, spans: [{}] })).toBe(
      "Looked up who changed billing/retry.py 3–9",
    );
    expect(told("log", {}, { ...file, commits: [{}] })).toBe(
      "Looked up 1 commit of billing/retry.py",
    );
    expect(told("list_repositories", {}, { repositories: ["billing", "shop"] })).toBe(
      "Listed 2 repositories",
    );
    await i18next.changeLanguage("zh");
    expect(told("log", {}, { ...file, commits: [{}, {}] })).toBe("查 billing/retry.py 的 2 次提交");
  });

  it("name every wording that was searched", async () => {
    const queries = ["退款 重试", "refund retry", "retry_failed"];
    const found = { queries, places: 3, repositories: ["billing"] };
    expect(told("search_code", { queries })).toBe(
      "Searching code for 退款 重试, refund retry, retry_failed",
    );
    expect(told("search_code", { queries }, found)).toBe(
      "Searched code for 退款 重试, refund retry, retry_failed, 3 places",
    );
    await i18next.changeLanguage("zh");
    expect(told("search_code", { queries }, found)).toContain(
      "退款 重试、refund retry、retry_failed",
    );
  });

  it("say what is being done, from the arguments alone", () => {
    expect(told("search_code", { query: "refund" })).toBe("Searching code for refund");
    expect(told("read_lines", { repository: "billing", path: "retry.py" })).toBe(
      "Reading billing/retry.py",
    );
    expect(told("something_new", {})).toBe("Using something_new");
  });
});
