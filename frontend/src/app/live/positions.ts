/** The position vector of a reader: for every tape followed, the last seq it has. */

export type Positions = Map<number, number>;

/** Moves forward only: what arrives late or twice changes nothing. */
export function advance(positions: Positions, tape: number, seq: number): void {
  const known = positions.get(tape);
  if (known !== undefined && seq > known) positions.set(tape, seq);
}

export function encoded(positions: Positions): string {
  return [...positions].map(([tape, seq]) => `${tape}:${seq}`).join(",");
}
