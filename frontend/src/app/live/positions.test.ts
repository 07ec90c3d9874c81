import { describe, expect, it } from "vitest";
import { advance, encoded } from "./positions";

describe("the position vector", () => {
  it("moves forward only, and only for tapes that are followed", () => {
    const positions = new Map([
      [12, 40],
      [15, 3],
    ]);
    advance(positions, 12, 42);
    advance(positions, 12, 41);
    advance(positions, 99, 7);
    expect(encoded(positions)).toBe("12:42,15:3");
  });
});
