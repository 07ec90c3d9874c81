import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { show } from "@/testing/page";
import type { Question } from "../fold/shapes";
import { TranscriptContext } from "./transcript-context";
import { TurnActs } from "./turn-acts";

function failed(question: Partial<Question>, onAskAgain: (question: string) => void) {
  const acts = { onCorrect: vi.fn(), onAskFrom: undefined, onAskAgain };
  const transcript = { citations: [], open: null, changed: new Set<number>() };
  show(
    <TranscriptContext value={{ ...transcript, mayAddWords: false, onOpen: vi.fn(), acts }}>
      <TurnActs question={question as Question} answer={null} />
    </TranscriptContext>,
  );
}

describe("a turn that has ended", () => {
  it("can be asked again by a press, also without an answer", () => {
    const onAskAgain = vi.fn();
    failed({ text: "Is it retried?", withheld: false }, onAskAgain);
    fireEvent.click(screen.getByRole("button", { name: "Ask again" }));
    expect(onAskAgain).toHaveBeenCalledWith("Is it retried?");
    expect(screen.queryByRole("button", { name: "Correct" })).toBeNull();
  });

  it("offers nothing where its question is withheld", () => {
    failed({ text: "", withheld: true }, vi.fn());
    expect(screen.queryByRole("button")).toBeNull();
  });
});
