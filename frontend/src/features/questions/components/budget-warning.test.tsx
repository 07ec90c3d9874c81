import { render, screen } from "@testing-library/react";
import i18n from "i18next";
import { afterEach, describe, expect, it } from "vitest";
import { BudgetWarning } from "./budget-warning";

type Budget = NonNullable<Parameters<typeof BudgetWarning>[0]["budget"]>;

function words(budget: Budget): string | null {
  const { unmount } = render(<BudgetWarning budget={budget} />);
  const said = screen.getByRole("status").textContent;
  unmount();
  return said;
}

describe("the warning of a budget", () => {
  afterEach(() => i18n.changeLanguage("en"));

  it("says how much of one's own budget is used, in both languages", async () => {
    const own: Budget = { scope: "person", state: "warned", share: 0.84 };
    expect(words(own)).toBe("Your budget for this month is 84% used.");
    await i18n.changeLanguage("zh");
    expect(words(own)).toBe("你这个月的预算已用 84%。");
  });

  it("says of a group's and the company's only that they are nearly used", () => {
    const group = words({ scope: "group", state: "warned", share: null });
    expect(group).toBe("The budget of a group you are in is nearly used for this month.");
    const company = words({ scope: "company", state: "warned", share: null });
    expect(company).toBe("The company's budget is nearly used for this month.");
  });

  it("says what stops when one is used up, and who can change that", () => {
    for (const scope of ["person", "group", "company"] as const) {
      const said = words({ scope, state: "reached", share: scope === "person" ? 1.2 : null });
      expect(said).toMatch(/used up.*no model will be asked until an administrator raises it/);
      expect(said).not.toContain("%");
    }
  });

  it("says nothing while no budget presses, and before that is known", () => {
    const { container, rerender } = render(<BudgetWarning budget={null} />);
    expect(container.textContent).toBe("");
    rerender(<BudgetWarning budget={undefined} />);
    expect(container.textContent).toBe("");
  });
});
