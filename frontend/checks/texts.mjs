/**
 * Both catalogues say the same things, and only things that are said: keys, the blanks and tags in
 * them, keys no file uses, and keys a file uses that no catalogue has.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const plural = /_(?:ordinal_)?(?:zero|one|two|few|many|other)$/;

function flat(value, prefix = "") {
  if (typeof value === "string") return [[prefix, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    flat(inner, prefix ? `${prefix}.${key}` : key),
  );
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    const path = join(folder, item.name);
    if (item.isDirectory()) return sources(path);
    return /\.tsx?$/.test(item.name) && !/\.test\./.test(item.name) ? [path] : [];
  });
}

function catalogue(language) {
  return new Map(flat(JSON.parse(readFileSync(`src/locales/${language}.json`, "utf8"))));
}

/** What must be the same in both languages: blanks to fill and tags to set. */
function shape(text) {
  return [...new Set(text.match(/\{\{\w+\}\}|<\/?\w+\/?>/g) ?? [])].sort().join(" ");
}

function byMeaning(texts) {
  const meanings = new Map();
  for (const [key, text] of texts) meanings.set(key.replace(plural, ""), text);
  return meanings;
}

const zh = byMeaning(catalogue("zh"));
const en = byMeaning(catalogue("en"));
const code = sources("src")
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");
const literals = new Set([...code.matchAll(/["'`]([a-z]\w*(?:\.\w+)+)["'`]/gi)].map((m) => m[1]));
const prefixes = [...code.matchAll(/`([a-z]\w*(?:\.\w+)*)\.\$\{/gi)].map((match) => `${match[1]}.`);
const areas = new Set([...en.keys()].map((key) => key.split(".")[0]));

const problems = [];
for (const key of zh.keys()) if (!en.has(key)) problems.push(`en has no ${key}`);
for (const key of en.keys()) if (!zh.has(key)) problems.push(`zh has no ${key}`);
for (const [key, text] of en) {
  if (zh.has(key) && shape(text) !== shape(zh.get(key))) problems.push(`${key}: blanks differ`);
  const used = literals.has(key) || prefixes.some((prefix) => key.startsWith(prefix));
  if (!used) problems.push(`${key} is used nowhere`);
}
for (const key of literals) {
  const isText = areas.has(key.split(".")[0]) && key.split(".").length <= 3;
  if (isText && !en.has(key)) problems.push(`${key} is in no catalogue`);
}

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`${en.size} texts, each in both languages, each in use`);
