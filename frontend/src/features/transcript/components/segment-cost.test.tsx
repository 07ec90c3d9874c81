import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { server } from "@/testing/setup";
import { SegmentCost } from "./segment-cost";

const tokens = { input: 900, cached: 0, output: 40, reasoning: 0 };

function show(overload: number) {
  const paid = { money: [{ amount: "0.012300", currency: "CNY" }], tokens, unknown_calls: 1 };
  const free = { money: [], tokens, unknown_calls: 0 };
  const results = [
    { number: 1, overload_seq: 21, cost: paid },
    { number: 2, overload_seq: 40, cost: free },
    { number: 3, overload_seq: null, cost: paid },
  ];
  server.use(http.get("*/api/topics/7/segments", () => HttpResponse.json({ results })));
  const cache = new QueryClient();
  const { container } = render(
    <QueryClientProvider client={cache}>
      <SegmentCost topic={7} overload={overload} />
    </QueryClientProvider>,
  );
  return { cache, container };
}

describe("what a part of a topic cost", () => {
  it("stands where the model's memory was full, with what is unknown of it", async () => {
    show(21);
    await screen.findByText("Cost of this part: ¥0.0123 + Price unknown");
  });

  it("is not told where nothing was paid", async () => {
    const { cache, container } = show(40);
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    expect(container.innerHTML).toBe("");
  });
});
