/** The places in code that tools minted, gathered from whatever a tool returned. */
import { type Json, number, object, objects, text } from "@/lib/read";
import type { Place } from "./shapes";

function placeFrom(value: Json, marker: string): Place | null {
  const evidence = number(value.evidence_id);
  if (!marker || evidence === null) return null;
  return {
    marker,
    evidence,
    repository: text(value.repository),
    path: text(value.path),
    startLine: number(value.start_line) ?? 1,
    endLine: number(value.end_line) ?? 1,
  };
}

/** Places in a tool's data: the data itself, or the items of any list in it. */
export function placesIn(data: Json): Place[] {
  const candidates = [data, ...Object.values(data).flatMap(objects)];
  return candidates
    .map((value) => placeFrom(value, text(value.evidence)))
    .filter((place) => place !== null);
}

export function placesCited(meta: Json): { places: Place[]; invalid: string[] } {
  const cited = objects(meta.citations);
  const places = cited
    .map((value) => placeFrom(value, text(object(value).id)))
    .filter((place) => place !== null);
  const invalid = cited.filter((value) => value.valid === false).map((value) => text(value.id));
  return { places, invalid };
}
