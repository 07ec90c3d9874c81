/** Numbering citations over a whole topic, in the order in which its answers first use them. */
import type { Citation, Place, Story } from "./shapes";

const marker = /\[(e\d+)\]/g;

function markersIn(text: string): string[] {
  return [...text.matchAll(marker)].map((match) => match[1] ?? "");
}

const loose = /[[【]\s*(e\d+(?:\s*[,，、;；]\s*e\d+)*)\s*[\]】]/gi;
const torn = /\s*[[【](?:\s*e[\d,，、;；\se]*)?$/i;

/**
 * Text as it may be shown while it is still being written: markers in the ways models write them,
 * such as [e1, e2] or 【e1】, become plain ones, and a torn marker at the end waits.
 */
export function tidied(text: string): string {
  return text.replace(torn, "").replace(loose, (_, ids: string) =>
    ids
      .toLowerCase()
      .split(/[^e\d]+/)
      .map((id) => `[${id}]`)
      .join(""),
  );
}

type Source = { text: string; places: Record<string, Place>; invalid: string[] };

function sourcesOf(story: Story, live: Record<number, string>): Source[] {
  return story.turns.flatMap((turn) => {
    const written = live[turn.turn];
    if (turn.answer) {
      const places = Object.fromEntries(turn.answer.citations.map((each) => [each.marker, each]));
      return [{ text: turn.answer.text, places, invalid: turn.answer.invalid }];
    }
    return written ? [{ text: tidied(written), places: story.places, invalid: [] }] : [];
  });
}

export function citationsOf(story: Story, live: Record<number, string> = {}): Citation[] {
  const found = new Map<number, Citation>();
  for (const source of sourcesOf(story, live)) {
    for (const name of markersIn(source.text)) {
      const place = source.places[name];
      if (!place || found.has(place.evidence)) continue;
      const valid = !source.invalid.includes(name);
      found.set(place.evidence, { ...place, number: found.size + 1, valid });
    }
  }
  return [...found.values()];
}

/** The citations that one text uses, in the order of that text. */
export function citationsIn(text: string, citations: Citation[]): Citation[] {
  const names = new Set(markersIn(text));
  return [...names]
    .map((name) => citations.find((citation) => citation.marker === name))
    .filter((citation) => citation !== undefined);
}
