/** Where one has gone from a piece of evidence: names looked up, places opened, and the way back. */
import { useCallback, useMemo, useState } from "react";
import type { CodePlace } from "@/api/types";

export type Stop = { kind: "symbol"; name: string } | { kind: "place"; place: CodePlace };

export type Trail = {
  at: Stop | null;
  lookUp: (name: string) => void;
  open: (place: CodePlace) => void;
  back: () => void;
};

export function useTrail(): Trail {
  const [stops, setStops] = useState<Stop[]>([]);
  const go = useCallback((stop: Stop) => setStops((before) => [...before, stop]), []);
  const lookUp = useCallback((name: string) => go({ kind: "symbol", name }), [go]);
  const open = useCallback((place: CodePlace) => go({ kind: "place", place }), [go]);
  const back = useCallback(() => setStops((before) => before.slice(0, -1)), []);
  const at = stops.at(-1) ?? null;
  return useMemo(() => ({ at, lookUp, open, back }), [at, lookUp, open, back]);
}
