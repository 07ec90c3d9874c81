/** What a visitor downloads stays small: limits on the first load, on a topic, and on each later part. */
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const kilobyte = 1024;
const limits = {
  first: 150 * kilobyte,
  topicPage: 75 * kilobyte,
  style: 12 * kilobyte,
  part: 70 * kilobyte,
};

const folder = "dist/assets";
const packed = (name) => gzipSync(readFileSync(`${folder}/${name}`)).length;
const html = readFileSync("dist/index.html", "utf8");
const files = readdirSync(folder);
const scripts = files.filter((name) => name.endsWith(".js"));
const first = scripts.filter((name) => html.includes(name));
const sum = (names) => names.reduce((total, name) => total + packed(name), 0);

const sizes = [
  ["first load", sum(first), limits.first],
  ["styles", sum(files.filter((name) => name.endsWith(".css"))), limits.style],
  ...scripts
    .filter((name) => !first.includes(name))
    .map((name) => [
      name,
      packed(name),
      name.startsWith("topic-page") ? limits.topicPage : limits.part,
    ]),
];

const over = sizes.filter(([, size, limit]) => size > limit);
for (const [name, size, limit] of over) {
  console.error(
    `${name}: ${Math.ceil(size / kilobyte)} kB packed, the limit is ${limit / kilobyte} kB`,
  );
}
if (over.length > 0) process.exit(1);
console.log(
  `first load ${Math.ceil(sizes[0][1] / kilobyte)} kB packed, styles ${Math.ceil(sizes[1][1] / kilobyte)} kB`,
);
