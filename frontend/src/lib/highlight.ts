/**
 * Colouring code: shiki's core with its JavaScript engine and single grammars, all loaded only when
 * code is first shown. Tokens carry a role of ours, not a colour.
 */
import type { HighlighterCore, LanguageInput } from "shiki/core";

export type Token = { text: string; role: "key" | "string" | "number" | "comment" | "" };

const grammars: Record<string, () => Promise<{ default: LanguageInput }>> = {
  bash: () => import("@shikijs/langs/bash"),
  c: () => import("@shikijs/langs/c"),
  csharp: () => import("@shikijs/langs/csharp"),
  css: () => import("@shikijs/langs/css"),
  dart: () => import("@shikijs/langs/dart"),
  dockerfile: () => import("@shikijs/langs/dockerfile"),
  go: () => import("@shikijs/langs/go"),
  html: () => import("@shikijs/langs/html"),
  ini: () => import("@shikijs/langs/ini"),
  java: () => import("@shikijs/langs/java"),
  javascript: () => import("@shikijs/langs/javascript"),
  json: () => import("@shikijs/langs/json"),
  jsx: () => import("@shikijs/langs/jsx"),
  kotlin: () => import("@shikijs/langs/kotlin"),
  lua: () => import("@shikijs/langs/lua"),
  make: () => import("@shikijs/langs/make"),
  markdown: () => import("@shikijs/langs/markdown"),
  php: () => import("@shikijs/langs/php"),
  python: () => import("@shikijs/langs/python"),
  ruby: () => import("@shikijs/langs/ruby"),
  rust: () => import("@shikijs/langs/rust"),
  scala: () => import("@shikijs/langs/scala"),
  sql: () => import("@shikijs/langs/sql"),
  swift: () => import("@shikijs/langs/swift"),
  toml: () => import("@shikijs/langs/toml"),
  tsx: () => import("@shikijs/langs/tsx"),
  typescript: () => import("@shikijs/langs/typescript"),
  vue: () => import("@shikijs/langs/vue"),
  xml: () => import("@shikijs/langs/xml"),
  yaml: () => import("@shikijs/langs/yaml"),
};

const otherNames: Record<string, string> = {
  "c++": "c",
  cpp: "c",
  cs: "csharp",
  h: "c",
  hpp: "c",
  js: "javascript",
  kt: "kotlin",
  makefile: "make",
  md: "markdown",
  mjs: "javascript",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  ts: "typescript",
  yml: "yaml",
};

const roles: Record<string, Token["role"]> = {
  keyword: "key",
  string: "string",
  "string-expression": "string",
  constant: "number",
  comment: "comment",
};

/** Longer code stays plain: colouring it would hold up the page. */
const longest = 60_000;
const longestLine = 2_000;

function grammarOf(language: string, path: string): string | null {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const names = [language.toLowerCase(), extension].map((name) => otherNames[name] ?? name);
  return names.find((name) => name in grammars) ?? null;
}

let started: Promise<HighlighterCore> | undefined;

async function start(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] =
    await Promise.all([import("shiki/core"), import("shiki/engine/javascript")]);
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: "roles", variablePrefix: "--" })],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

function roleOf(color: string | undefined): Token["role"] {
  const name = /var\(--token-([a-z-]+)\)/.exec(color ?? "")?.[1] ?? "";
  return roles[name] ?? "";
}

/**
 * What must stand before an excerpt that begins inside a comment or a docstring, so that what
 * follows is not taken for one: its first delimiter closes instead of opening.
 */
function openingOf(code: string): string {
  const [first] = /\/\*|\*\//.exec(code) ?? [];
  if (first === "*/") return "/*\n";
  const quotes = [...code.matchAll(/"""|'''/g)];
  const [quote] = quotes;
  if (!quote || quotes.length % 2 === 0) return "";
  const after = code.slice(quote.index + 3).split("\n", 1)[0] ?? "";
  return after.trim() === "" ? `${quote[0]}\n` : "";
}

/** The code's lines as tokens, or null where no grammar knows it. */
export async function highlight(
  code: string,
  language: string,
  path: string,
): Promise<Token[][] | null> {
  const name = grammarOf(language, path);
  const grammar = name && code.length <= longest ? grammars[name] : undefined;
  if (!name || !grammar) return null;
  started ??= start();
  const highlighter = await started;
  if (!highlighter.getLoadedLanguages().includes(name)) {
    await highlighter.loadLanguage((await grammar()).default);
  }
  const opening = openingOf(code);
  const lines = highlighter.codeToTokensBase(opening + code, {
    lang: name,
    theme: "roles",
    // A grammar is compiled while its first lines are read; giving up meanwhile would colour half.
    tokenizeTimeLimit: 0,
    tokenizeMaxLineLength: longestLine,
  });
  return lines
    .slice(opening ? 1 : 0)
    .map((line) => line.map((token) => ({ text: token.content, role: roleOf(token.color) })));
}
