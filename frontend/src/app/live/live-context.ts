/** What pages know of the stream: how it stands, and how to have a tape followed. */
import { createContext, useContext, useEffect } from "react";

export type Connection = "online" | "offline" | "signed_out";

type Live = {
  connection: Connection;
  /** Follows a tape from a position; returns how to let go of it. */
  follow: (tape: number, seq: number) => () => void;
};

export const LiveContext = createContext<Live | null>(null);

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error("The stream is used outside its provider.");
  return live;
}

/** Follows a tape while the page is shown; the position counts when following begins. */
export function useFollowedTape(tape: number | undefined, head: number | undefined): void {
  const { follow } = useLive();
  const known = tape !== undefined && head !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: later heads come from the stream itself.
  useEffect(() => {
    if (tape === undefined || head === undefined) return;
    return follow(tape, head);
  }, [tape, known, follow]);
}
