import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { WordsWithCode } from "./words-with-code";

it("sets code as code, and leaves a lone mark as it is", () => {
  const { container } = render(<WordsWithCode text="Up to `MAX_ATTEMPTS` times, `x" />);
  expect(container.innerHTML).toBe("Up to <code>MAX_ATTEMPTS</code> times, `x");
});
