/** An answer on its way to becoming a fact: what it concludes, or its first sentence without marks, and the places it cites. */
import type { Entry, TopicDetail } from "@/api/types";
import type { Proposed } from "@/features/facts/components/propose-dialog";
import { number, object, objects, text } from "@/lib/read";

const marks = /\*\*|__|`|^#{1,6}\s+|^>\s+|\s?\[e\d+\]/gm;

function firstSentence(answer: string): string {
  const plain = answer.replace(marks, "").trim();
  const end = plain.search(/[。！？!?]|\.(?=\s|$)|\n/);
  return (end < 0 ? plain : plain.slice(0, end + 1)).trim().slice(0, 600);
}

export function proposalFrom(topic: TopicDetail, entries: Entry[], seq: number): Proposed | null {
  const entry = entries.find((each) => each.seq === seq);
  if (!entry || entry.turn === null) return null;
  const places = objects(entry.meta.citations).flatMap((said) => {
    const evidence = number(said.evidence_id);
    const where = `${text(said.repository)}/${text(said.path)}`;
    const lines = `${number(said.start_line) ?? ""}–${number(said.end_line) ?? ""}`;
    return evidence === null || said.valid === false
      ? []
      : [{ evidence, label: `${where}:${lines}` }];
  });
  if (places.length === 0) return null;
  const words = text(entry.meta.conclusion) || firstSentence(text(object(entry.payload).content));
  return { topic: topic.id, turn: entry.turn, text: words, places: places.slice(0, 8) };
}
