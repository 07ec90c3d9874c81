import { describe, expect, it } from "vitest";
import { highlight, type Token } from "./highlight";

async function roles(
  code: string,
  language: string,
  path = "",
): Promise<Record<string, Token["role"]>> {
  const lines = (await highlight(code, language, path)) ?? [];
  return Object.fromEntries(lines.flat().map((token) => [token.text.trim(), token.role]));
}

describe("colours by role", () => {
  it("tell keywords, strings, numbers and comments", async () => {
    const seen = await roles('def f():\n    return 3, "x"  # why', "python");
    expect(seen).toMatchObject({
      def: "key",
      return: "key",
      "3": "number",
      '"x"': "string",
      "# why": "comment",
    });
  });

  it("find the grammar by the file's name when the language has none", async () => {
    expect(await roles("let x = 1", "", "a/b.ts")).toMatchObject({ let: "key" });
    expect(await highlight("whatever", "", "LICENSE")).toBeNull();
  });

  it("are right in an excerpt that begins inside a docstring or a comment", async () => {
    const python = await roles('Said before.\n"""\nattempts = 5', "python");
    expect(python["Said before."]).not.toBe("");
    expect(python["5"]).toBe("number");
    const css = await roles("said before */\na { top: 4px }", "css");
    expect(css["said before */"]).toBe("comment");
  });

  it("keep every character and every line", async () => {
    const code = 'x = """a\n\nb"""\n\ty = 2\n';
    const lines = (await highlight(code, "python", "")) ?? [];
    expect(lines.map((line) => line.map((token) => token.text).join("")).join("\n")).toBe(code);
  });
});
