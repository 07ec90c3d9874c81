/** `topic:12` in an answer's Markdown as a link to that topic; code and links stay as they are. */

const kept = /(```[\s\S]*?(?:```|$)|`[^`\n]+`|\[[^\]\n]*\]\([^)\n]*\))/;
const named = /(?<![A-Za-z0-9_/.-])topic[:：](\d{1,15})(?:#\d{1,15}(?:-\d{1,15})?)?(?!\d)/gi;

export function linkTopics(markdown: string): string {
  return markdown
    .split(kept)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(named, "[$&](/topics/$1)")))
    .join("");
}
