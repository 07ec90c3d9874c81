import { render } from "@testing-library/react";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { routingFrom } from "../fold/routing";
import { RoutingLine } from "./routing-line";

const told = {
  repository: "billing",
  certainty: "low",
  reason: [{ kind: "vocabulary", query: "退款", code: "refund" }],
  runner_up: "orders",
};

function shown(value: object): string {
  const routing = routingFrom({ ...value });
  if (!routing) throw new Error("it is a routing");
  return render(<RoutingLine routing={routing} />).container.textContent ?? "";
}

describe("where a question landed", () => {
  it("is one repository, with how sure that is and the other that has related code", () => {
    const words = shown(told);
    expect(words).toContain("This lands in billing");
    expect(words).toContain("Low certainty");
    expect(words).toContain("orders has related code too");
  });

  it("is both where they fit about equally well", async () => {
    expect(shown({ ...told, tied: true })).toContain("billing and orders fit about equally well");
    await i18next.changeLanguage("zh");
    expect(shown({ ...told, tied: true })).toContain("billing 和 orders 差不多一样合适");
  });
});
