/** Cutting a stretch of a tape into pieces, so that a long one is read from where one looks. */
import type { EntryKind } from "@/api/types";

export type Stretch = {
  tape: number;
  /** The tape's head when the stretch was laid out. */
  head: number;
  first: number;
  /** Null for a stretch that is still growing. */
  last: number | null;
  kinds: EntryKind[];
  /** Whether discarded forks are shown. */
  forks: boolean;
  /** The entry to begin reading at; null for the stretch's end. */
  around: number | null;
};

/** Seqs of one request; `to` is open where the tape may grow. */
export type Piece = { from: number; to?: number };

const size = 200;
const filteredSize = 1_000;
const lead = 60;

function sizeOf({ kinds }: Stretch): number {
  return kinds.length > 0 ? filteredSize : size;
}

function endOf({ first, last, head }: Stretch): number {
  return Math.max(first, last ?? head);
}

function upTo(stretch: Stretch, from: number): Piece {
  const to = from + sizeOf(stretch) - 1;
  if (to < endOf(stretch)) return { from, to };
  return stretch.last === null ? { from } : { from, to: stretch.last };
}

/** Around the entry looked for; else the last piece of the stretch. */
export function startOf(stretch: Stretch): Piece {
  const { around } = stretch;
  const latest = endOf(stretch) - sizeOf(stretch) + 1;
  const wanted = around === null ? latest : Math.min(latest, around - lead);
  return upTo(stretch, Math.max(stretch.first, wanted));
}

export function earlier(stretch: Stretch, shown: Piece): Piece | undefined {
  if (shown.from <= stretch.first) return undefined;
  return { from: Math.max(stretch.first, shown.from - sizeOf(stretch)), to: shown.from - 1 };
}

/** `next` is the server's word that an open piece was longer than it gives at once. */
export function later(stretch: Stretch, shown: Piece, next: string | null): Piece | undefined {
  if (next !== null) return upTo(stretch, Number(next) + 1);
  if (shown.to === undefined || shown.to >= endOf(stretch)) return undefined;
  return upTo(stretch, shown.to + 1);
}
