/** Which purposes a plot tells apart: as many as there are colours, the rest together. */
import type { CostPurpose } from "@/api/types";
import type { Bar } from "./days";

export type Layer = { key: string; mark: string; purposes: string[]; name: string | null };

const marks = ["s1", "s2", "s3", "s4"];

/** `purposes` come the dearest first; a layer without a name holds all others. */
export function layersOf(purposes: CostPurpose[], language: string): Layer[] {
  const zh = language.startsWith("zh");
  const single = purposes.length <= marks.length + 1 ? purposes.length : marks.length;
  const layers: Layer[] = purposes.slice(0, single).map((each, index) => ({
    key: each.purpose,
    mark: marks[index] ?? "s5",
    purposes: [each.purpose],
    name: zh ? each.zh : each.en,
  }));
  const rest = purposes.slice(single).map((each) => each.purpose);
  return rest.length > 0
    ? [...layers, { key: "", mark: "s5", purposes: rest, name: null }]
    : layers;
}

export function heightOf(bar: Bar, layer: Layer): number {
  return layer.purposes.reduce((sum, purpose) => sum + (bar.parts[purpose] ?? 0), 0);
}
