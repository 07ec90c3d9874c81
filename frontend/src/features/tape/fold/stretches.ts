/** How a tape is laid out: finished topics and segments folded, what goes on now open. */
import type { TapeDetail, TapeTopic } from "@/api/types";

export type Section = {
  first: number;
  /** Null while it grows. */
  last: number | null;
  topic: TapeTopic | null;
  /** The segment's number within a topic that was split; null for a whole topic. */
  segment: number | null;
  folded: boolean;
};

type Range = { first: number; last: number | null };

function plain(first: number, last: number | null): Section {
  return { first, last, topic: null, segment: null, folded: false };
}

/** A split topic stands as its segments, each after the first opening with its own anchor. */
function segmented(topic: TapeTopic, open: boolean): Section[] {
  const ranges: Range[] = topic.segments;
  return ranges.flatMap((range, index) => {
    const newest = index === ranges.length - 1;
    const section = { ...range, topic, segment: index + 1, folded: !(open && newest) };
    if (index === 0 || !section.folded) return [section];
    const inside = { ...section, first: range.first + 1 };
    const empty = inside.last !== null && inside.last < inside.first;
    return empty ? [plain(range.first, range.first)] : [plain(range.first, range.first), inside];
  });
}

function sectionsOf(topic: TapeTopic, open: boolean): Section[] {
  if (topic.segments.length > 1) return segmented(topic, open);
  const { initial_seq: first, finalized_seq: last } = topic;
  return [{ first, last, topic, segment: null, folded: !open }];
}

/** The whole tape in order; the newest topic stays open, so that there is something to read. */
export function laidOut(tape: Pick<TapeDetail, "topics">): Section[] {
  const topics = [...tape.topics].sort((one, other) => one.initial_seq - other.initial_seq);
  const newest = topics.at(-1);
  const sections: Section[] = [];
  let next = 1;
  for (const topic of topics) {
    if (topic.initial_seq > next) sections.push(plain(next, topic.initial_seq - 1));
    sections.push(...sectionsOf(topic, topic === newest));
    next = (topic.finalized_seq ?? Number.POSITIVE_INFINITY) + 1;
  }
  if (Number.isFinite(next)) sections.push(plain(next, null));
  return sections;
}

export function holds({ first, last }: Range, seq: number | undefined): boolean {
  return seq !== undefined && seq >= first && (last === null || seq <= last);
}
