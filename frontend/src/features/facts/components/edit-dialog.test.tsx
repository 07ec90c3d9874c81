import { fireEvent, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import type { Fact } from "@/api/types";
import { show } from "@/testing/page";
import { server } from "@/testing/setup";
import { EditDialog } from "./edit-dialog";
import { ReasonDialog } from "./reason-dialog";

const place = {
  repository: { id: 4, name: "shop" },
  branch: "main",
  commit: "c".repeat(40),
  path: "retry.py",
  start_line: 7,
  end_line: 12,
  holds: false,
};
const mei = { id: 1, display_name: "Mei" };
const fact: Fact = {
  id: 12,
  version: 3,
  status: "accepted",
  stale: true,
  stale_since: "2026-11-30T10:00:00Z",
  language: "en",
  text: "A failed refund is retried three times.",
  withheld: false,
  contributor: mei,
  origin: "person",
  proposed_at: "2026-11-29T10:00:00Z",
  changed_at: "2026-11-30T10:00:00Z",
  decided_by: mei,
  decided_at: "2026-11-29T11:00:00Z",
  reason: "",
  evidence: [place],
  evidence_withheld: 0,
  topic: null,
  topic_count: 1,
  use_count: 0,
  mine: false,
  reviewable: true,
};

function listen(act: string) {
  const sent: object[] = [];
  server.use(
    http.post(`*/api/facts/12/${act}`, async ({ request }) => {
      sent.push((await request.json()) as object);
      return HttpResponse.json({});
    }),
  );
  return sent;
}

function save(name: string) {
  fireEvent.click(screen.getByRole("button", { name, hidden: true }));
}

describe("reviewing a fact", () => {
  it("rests a stale one on the lines as the code stands now, which can be set", async () => {
    const sent = listen("edit");
    const onClose = vi.fn();
    show(<EditDialog fact={fact} onClose={onClose} />);
    const last = screen.getByLabelText("Last line in retry.py");
    fireEvent.change(last, { target: { value: "14" } });
    save("Save");
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    const lines = { repository: 4, branch: "main", path: "retry.py", start_line: 7, end_line: 14 };
    expect(sent).toEqual([{ version: 3, text: fact.text, evidence: [lines] }]);
  });

  it("leaves what a fresh one rests on as it is", async () => {
    const sent = listen("edit");
    const onClose = vi.fn();
    show(<EditDialog fact={{ ...fact, stale: false }} onClose={onClose} />);
    fireEvent.change(screen.getByLabelText("The fact"), { target: { value: "Four times." } });
    save("Save");
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent).toEqual([{ version: 3, text: "Four times.", evidence: null }]);
  });

  it("rejects it with the reason that its contributor reads", async () => {
    const sent = listen("reject");
    const onClose = vi.fn();
    show(<ReasonDialog act="reject" fact={fact} onClose={onClose} />);
    fireEvent.change(screen.getByLabelText("Why"), { target: { value: "Five by now." } });
    save("Reject");
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent).toEqual([{ version: 3, reason: "Five by now." }]);
  });
});
