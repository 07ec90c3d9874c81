import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { aRepository } from "@/testing/repository";
import { counted, metaWords, stateOf } from "./state";

const branch = {
  name: "main",
  commit: "7c1e9a2b1c",
  committed_at: "2026-11-28T09:00:00Z",
  indexed_at: new Date(Date.now() - 4 * 60_000).toISOString(),
  missing: false,
};

const run = {
  id: 9,
  status: "running" as const,
  phase: "chunks",
  done: 1204,
  total: 1940,
  seconds_left: 118,
  place: null,
  error: "",
  error_code: "" as const,
  files: 0,
  chunks: 0,
  seconds: null,
  started_at: "2026-11-28T09:00:00Z",
  ended_at: null,
};

function said(repository: ReturnType<typeof aRepository>, language = "en"): string {
  return metaWords(repository, i18next.t, language).join(" · ");
}

describe("how a repository stands", () => {
  it("names its branches and when it was indexed", () => {
    expect(said(aRepository({ branches: [branch] }))).toBe("main · indexed 4 min ago");
  });

  it("tells files, minutes left and what answers meanwhile while it is indexed", async () => {
    const repository = aRepository({ status: "indexing", branches: [branch], run });
    expect(said(repository)).toBe(
      "1,204 of 1,940 files · about 2 minutes left · answers use the last index meanwhile",
    );
    await i18next.changeLanguage("zh");
    expect(said(repository, "zh")).toBe("1,204 / 1,940 个文件 · 还要约 2 分钟 · 期间用上一版回答");
  });

  it("promises no time that is not known, and no last index where there is none", () => {
    const repository = aRepository({ run: { ...run, seconds_left: null } });
    expect(said(repository)).toBe("1,204 of 1,940 files");
    expect(
      said(aRepository({ run: { ...run, phase: "fetch", done: 0, total: 0, seconds_left: null } })),
    ).toBe("Fetching from the source");
  });

  it("tells a waiting one's place", async () => {
    const waiting = aRepository({ run: { ...run, status: "waiting", place: 2 } });
    expect(stateOf(waiting)).toBe("waiting");
    expect(said(waiting)).toBe("2nd in the queue");
    await i18next.changeLanguage("zh");
    expect(said(waiting, "zh")).toBe("排在第 2 位");
  });

  it("says plainly why it cannot be fetched, in the reader's language", async () => {
    const failed = aRepository({
      status: "failed",
      error: "The server refused the token that is kept for it.",
      error_code: "credential_refused",
    });
    expect(said(failed)).toBe("the server refused the credential");
    await i18next.changeLanguage("zh");
    expect(said(failed, "zh")).toBe("服务器拒绝了凭据");
  });

  it("counts what happens now before how the last indexing ended", () => {
    const counts = counted([
      aRepository({}),
      aRepository({ status: "failed" }),
      aRepository({ run }),
      aRepository({ status: "failed", run: { ...run, status: "waiting" } }),
    ]);
    expect(counts).toEqual({ fresh: 1, failed: 1, indexing: 1, waiting: 1, new: 0 });
  });
});
