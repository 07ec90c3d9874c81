import { fireEvent, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import type { Term } from "@/api/types";
import { show } from "@/testing/page";
import { server } from "@/testing/setup";
import { TermDialog } from "./term-dialog";

const billing = { id: 1, name: "billing" };
const wrong: Term = {
  word: "手续费",
  code: "tax",
  repository: billing,
  weight: 3,
  source: "comment",
  state: "mined",
  correction: null,
  note: "",
  author: null,
  at: null,
};

function listen() {
  const sent: object[] = [];
  server.use(
    http.post("*/api/vocabulary", async ({ request }) => {
      sent.push((await request.json()) as object);
      return HttpResponse.json({}, { status: 201 });
    }),
  );
  return sent;
}

describe("correcting the vocabulary", () => {
  it("adds the right pair first, then switches the wrong one off", async () => {
    const sent = listen();
    const onClose = vi.fn();
    show(<TermDialog from={wrong} repositories={[billing]} onClose={onClose} />);
    fireEvent.change(screen.getByLabelText("Code word"), { target: { value: "channel_fee" } });
    fireEvent.click(screen.getByRole("button", { name: "Save", hidden: true }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent).toEqual([
      { word: "手续费", code: "channel_fee", repository: 1, state: "added", note: "" },
      { word: "手续费", code: "tax", repository: 1, state: "suppressed", note: "" },
    ]);
  });

  it("adds a word for every repository unless one is chosen", async () => {
    const sent = listen();
    const onClose = vi.fn();
    show(<TermDialog from={{ word: "冲正" }} repositories={[billing]} onClose={onClose} />);
    fireEvent.change(screen.getByLabelText("Code word"), { target: { value: "reversal" } });
    fireEvent.click(screen.getByRole("button", { name: "Save", hidden: true }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent).toEqual([
      { word: "冲正", code: "reversal", repository: null, state: "added", note: "" },
    ]);
  });
});
