import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { fireEvent, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, it, vi } from "vitest";
import { show } from "@/testing/page";
import { server } from "@/testing/setup";
import { OpenedView } from "./opened-view";

const inSight = vi.fn();
Element.prototype.scrollIntoView = inSight;

function open(answer: () => Response) {
  server.use(http.get("*/api/views/3", answer));
  const onClose = vi.fn();
  const component = () => <OpenedView id={3} onClose={onClose} />;
  const routeTree = createRootRoute({ component });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  show(<RouterProvider router={router as never} />);
  return onClose;
}

describe("a named view on the tape's page", () => {
  afterEach(() => inSight.mockClear());

  it("comes into sight, from however far down the tape it was opened", async () => {
    const owner = { id: 2, display_name: "林悦" };
    open(() =>
      HttpResponse.json({ id: 3, name: "Refunds", mine: true, owner, parts: [], shown: [] }),
    );
    const name = await screen.findByRole("heading", { name: "Refunds" });
    expect(inSight.mock.contexts).toEqual([name.parentElement]);
  });

  it("says so where its owner has closed it, and leads back to the tape", async () => {
    const onClose = open(() => HttpResponse.json({ error: { code: "missing" } }, { status: 404 }));
    await screen.findByText("This view is not open to you");
    fireEvent.click(screen.getByRole("button", { name: "Whole tape" }));
    expect(onClose).toHaveBeenCalled();
  });
});
