/** Reading one event of the stream and giving it to the cache. */
import type { QueryClient } from "@tanstack/react-query";
import type { EventSourceMessage } from "eventsource-parser";
import type { Entry, LiveText, Turn } from "@/api/types";
import { applyEntry, applyText, applyTurn } from "./apply";
import type { Connection } from "./live-context";
import { advance, type Positions } from "./positions";

type Handler = (data: never) => void;

export function receive(
  cache: QueryClient,
  positions: Positions,
  leave: (connection: Connection) => void,
): (event: EventSourceMessage) => void {
  const handlers: Record<string, Handler> = {
    entry: (entry: Entry) => {
      applyEntry(cache, entry);
      advance(positions, entry.tape, entry.seq);
    },
    turn: (turn: Turn) => applyTurn(cache, turn),
    text: (piece: LiveText) => applyText(cache, piece),
    // What happened between reading a topic and following its tape is known to the server alone.
    ready: () => void cache.invalidateQueries({ queryKey: ["topic"] }),
    closed: ({ code }: { code: string }) => {
      // A reader that was too slow connects again; signed out or forbidden, there is no use.
      if (code === "signed_out") leave("signed_out");
      if (code === "forbidden") {
        leave("online");
        // One of the tapes may be seen no longer: what is shown of it goes.
        void cache.invalidateQueries({ queryKey: ["topic"] });
      }
    },
  };
  return ({ event, data }) => handlers[event ?? ""]?.(JSON.parse(data) as never);
}
