/**
 * Citation markers on their way through Markdown.
 *
 * `[e3]` means a link reference to Markdown, so markers travel in brackets that no one types and
 * are turned into elements after the tree was sanitised. (They are punctuation, as `[` is: emphasis
 * that ends right before a marker would not end before a letter.) A marker never begins a line: it
 * is bound to the last character before it, and it stands after the full stop of its sentence.
 */
import type { Element, ElementContent, Root, RootContent, Text } from "hast";

const opening = "⸨";
const closing = "⸩";
const travelling = /⸨(e\d+)⸩/;
const markerRun = String.raw`((?:[ \t]*\[e\d+\])+)`;
const beforeChineseStop = new RegExp(`${markerRun}([。！？；，、：]+)`, "g");
const beforeLatinStop = new RegExp(`${markerRun}([.!?;,:]+)(?=\\s|$)`, "gm");

export function packMarkers(markdown: string): string {
  return markdown
    .replace(/[⸨⸩]/g, "")
    .replace(beforeChineseStop, "$2$1")
    .replace(beforeLatinStop, "$2$1")
    .replace(/\[(e\d+)\]/g, `${opening}$1${closing}`);
}

/** Inside code a marker is what it was: text. */
function unpackMarkers(text: string): string {
  return text.replace(/⸨(e\d+)⸩/g, "[$1]");
}

function element(tagName: string, children: ElementContent[], className?: string): Element {
  return {
    type: "element",
    tagName,
    properties: className ? { className: [className] } : {},
    children,
  };
}

function bound(text: string, marker: string): ElementContent[] {
  const cite = element("cite", [{ type: "text", value: marker }]);
  const kept = text.replace(/\s+$/, "");
  const last = Array.from(kept).at(-1) ?? "";
  if (!last) return [cite];
  return [
    { type: "text", value: kept.slice(0, kept.length - last.length) },
    element("span", [{ type: "text", value: last }, cite], "bound"),
  ];
}

function split(node: Text): ElementContent[] {
  const parts = node.value.split(travelling);
  const nodes: ElementContent[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    nodes.push(...bound(parts[index] ?? "", parts[index + 1] ?? ""));
  }
  nodes.push({ type: "text", value: parts.at(-1) ?? "" });
  return nodes;
}

function walk(children: RootContent[]): RootContent[] {
  return children.flatMap((node): RootContent[] => {
    if (node.type === "text") return split(node);
    if (node.type !== "element") return [node];
    if (node.tagName === "code") return [withPlainText(node)];
    return [{ ...node, children: walk(node.children) as ElementContent[] }];
  });
}

function withPlainText(code: Element): Element {
  const children = code.children.map((child) =>
    child.type === "text" ? { ...child, value: unpackMarkers(child.value) } : child,
  );
  return { ...code, children };
}

/** A rehype plugin: markers become `<cite>` elements. */
export function rehypeCitations() {
  return (tree: Root): Root => ({ ...tree, children: walk(tree.children) });
}
