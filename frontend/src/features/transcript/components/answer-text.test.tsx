import { render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Citation } from "../fold/shapes";
import { AnswerText } from "./answer-text";
import { TranscriptContext } from "./transcript-context";

const citation: Citation = {
  marker: "e3",
  evidence: 33,
  repository: "billing",
  path: "refunds/retry.py",
  startLine: 28,
  endLine: 45,
  number: 1,
  valid: true,
};

function show(text: string, onOpen = vi.fn()) {
  const changed = new Set<number>();
  const value = {
    citations: [citation],
    open: null,
    changed,
    mayAddWords: false,
    onOpen,
    acts: null,
  };
  const { container } = render(
    <TranscriptContext value={value}>
      <AnswerText text={text} language="en" />
    </TranscriptContext>,
  );
  return { container, onOpen };
}

describe("an answer's text", () => {
  it("turns a marker into a numbered button that opens its evidence", () => {
    const { onOpen } = show("Up to three times. [e3]");
    screen.getByRole("button", { name: "Citation 1, open the code" }).click();
    expect(onOpen).toHaveBeenCalledWith(33);
  });

  it("keeps a citation on the line of the last word, after the full stop", () => {
    const { container } = show("Up to three times [e3]. More.");
    expect(container.querySelector(".bound")?.textContent).toBe(".1");
    expect(container.textContent).toBe("Up to three times.1 More.");
  });

  it("moves a citation behind a Chinese full stop", () => {
    const { container } = show("最多三次[e3]。之后转人工。");
    expect(container.textContent).toBe("最多三次。1之后转人工。");
  });

  it("sets emphasis beside Chinese punctuation and beside a marker", () => {
    const { container } = show("**最多三次。**[e3] **之后，**转人工。");
    const strong = [...container.querySelectorAll("strong")].map((each) => each.textContent);
    expect(strong).toEqual(["最多三次。", "之后，"]);
    expect(container.querySelector("button")?.textContent).toBe("1");
  });

  it("shows nothing for a marker that no tool minted", () => {
    const { container } = show("Perhaps [e99] so.");
    expect(container.querySelector("button")).toBeNull();
    expect(container.textContent).not.toContain("e99");
  });

  it("leaves markers inside code as they are", () => {
    const { container } = show("Write `rows[e3]` here.");
    expect(container.querySelector("code")?.textContent).toBe("rows[e3]");
    expect(container.querySelector("button")).toBeNull();
  });

  it("A6 loads nothing from elsewhere and links nowhere", () => {
    const { container } = show(
      [
        "![pixel](https://evil.example/p.png) [here](https://evil.example) <https://evil.example/a>",
        '<img src="https://evil.example/x.png"><iframe src="https://evil.example"></iframe>',
        "[run](javascript:alert(1)) [data](data:text/html,x) [//evil](//evil.example)",
        "[e3](https://evil.example) [e3]: https://evil.example",
      ].join("\n\n"),
    );
    expect(container.querySelectorAll("a, img, iframe, script, link, object, video")).toHaveLength(
      0,
    );
    expect(container.innerHTML).not.toMatch(/(?:src|href|style)=/);
  });
});
