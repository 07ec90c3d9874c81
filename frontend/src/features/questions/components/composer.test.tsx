import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { server } from "@/testing/setup";
import { Composer } from "./composer";
import { addToDraft } from "./use-draft";

type Sent = { key: string | null; body: Record<string, unknown> };

function listen(status = 202): Sent[] {
  const sent: Sent[] = [];
  server.use(
    http.get("*/api/questions/preview", ({ request }) => {
      const keep = new URL(request.url).searchParams.get("keep_open") === "true";
      const closes = keep ? null : { id: 2, title: "Coupon stacking rules" };
      const where = { tape: 1, running_turn: null, budget: null };
      return HttpResponse.json({ does: "start", closes, ...where });
    }),
    http.post("*/api/questions", async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      sent.push({ key: request.headers.get("Idempotency-Key"), body });
      const answer = { turn: { id: 5 }, topic: { id: 9 }, continued_from: null };
      return HttpResponse.json(answer, { status });
    }),
  );
  return sent;
}

function show(offline = false) {
  const onAsked = vi.fn();
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={cache}>
      <Composer place={{}} repositories={[]} offline={offline} onAsked={onAsked} />
    </QueryClientProvider>,
  );
  const box = screen.getByRole<HTMLTextAreaElement>("textbox");
  const type = (value: string) => fireEvent.change(box, { target: { value } });
  return { box, type, onAsked };
}

describe("the composer", () => {
  it("asks on Enter, and empties itself when the question is on its tape", async () => {
    const sent = listen();
    const { box, type, onAsked } = show();
    type("Who may cancel?");
    fireEvent.keyDown(box, { key: "Enter" });
    await waitFor(() => expect(onAsked).toHaveBeenCalled());
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({ text: "Who may cancel?" });
    expect(box.value).toBe("");
  });

  it("shows a question that is to be asked again, behind what was typed already", () => {
    listen();
    const { box, type } = show();
    act(() => addToDraft("new", "Who may cancel?"));
    expect(box.value).toBe("Who may cancel?");
    type("And who else?");
    act(() => addToDraft("new", "Who may cancel?"));
    expect(box.value).toBe("And who else?\nWho may cancel?");
    type("");
  });

  it("does not ask on Enter while composing, in either way browsers report it", async () => {
    const sent = listen();
    const { box, type } = show();
    type("退款");
    fireEvent.keyDown(box, { key: "Enter", isComposing: true });
    fireEvent.keyDown(box, { key: "Enter", keyCode: 229 });
    await screen.findByText("“Coupon stacking rules”");
    expect(sent).toHaveLength(0);
    fireEvent.keyDown(box, { key: "Enter", keyCode: 13 });
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it("breaks the line on Shift Enter", async () => {
    const sent = listen();
    const { box, type } = show();
    type("one");
    fireEvent.keyDown(box, { key: "Enter", shiftKey: true });
    await screen.findByText("“Coupon stacking rules”");
    expect(sent).toHaveLength(0);
  });

  it("R4 sends the same key again for the same press that failed, and a new one for other words", async () => {
    const sent = listen(500);
    const { box, type } = show();
    type("one");
    fireEvent.keyDown(box, { key: "Enter" });
    await screen.findByRole("alert");
    expect(box.value).toBe("one");
    fireEvent.keyDown(box, { key: "Enter" });
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.key).toBe(sent[0]?.key);
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>("button", { name: "Ask" }).disabled).toBe(false),
    );
    type("two");
    fireEvent.keyDown(box, { key: "Enter" });
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent[2]?.key).not.toBe(sent[0]?.key);
  });

  it("says what it would finish, and leaves that open on wish", async () => {
    const sent = listen();
    const { box, type } = show();
    await screen.findByText("“Coupon stacking rules”");
    fireEvent.click(screen.getByRole("button", { name: "Keep it open" }));
    await screen.findByText(/stays open/);
    type("one");
    fireEvent.keyDown(box, { key: "Enter" });
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ keep_open: true }));
  });

  it("keeps the draft on this device, also when offline, and sends nothing then", async () => {
    const sent = listen();
    const { box, type } = show(true);
    type("half a thought");
    fireEvent.keyDown(box, { key: "Enter" });
    await screen.findByText("Draft kept on this device");
    expect(sent).toHaveLength(0);
    expect(localStorage.getItem("draft:new")).toBe("half a thought");
  });

  it("refuses an empty question and one that is too long, in words", async () => {
    const sent = listen();
    const { box, type } = show();
    fireEvent.keyDown(box, { key: "Enter" });
    expect((await screen.findByRole("alert")).textContent).toBe("Type a question first.");
    type("x".repeat(20_003));
    expect((await screen.findByRole("alert")).textContent).toContain("3 characters too many");
    fireEvent.keyDown(box, { key: "Enter" });
    expect(sent).toHaveLength(0);
  });
});
