/** Text as the model writes it, pieced together; offsets count code points, 0 starts a step over. */
import type { LiveText } from "@/api/types";

export type Written = { step: number; text: string; length: number };

export function write(written: Written | undefined, piece: LiveText): Written | undefined {
  const size = Array.from(piece.text).length;
  if (piece.offset === 0) return { step: piece.step, text: piece.text, length: size };
  if (written?.step !== piece.step || piece.offset > written.length) return written;
  const kept =
    piece.offset === written.length
      ? written.text
      : Array.from(written.text).slice(0, piece.offset).join("");
  return { step: piece.step, text: kept + piece.text, length: piece.offset + size };
}
