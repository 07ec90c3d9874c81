/** One stream for the person, carrying the tapes in view. */
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { follow as followStream, type StreamState } from "@/lib/stream";
import { type Connection, LiveContext } from "./live-context";
import { encoded, type Positions } from "./positions";
import { receive } from "./receive";

/** A short loss is bridged silently; only a longer one is worth a banner. */
const patience = 2_500;

function useSettledConnection() {
  const [connection, setConnection] = useState<Connection>("online");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onState = useCallback((state: StreamState) => {
    clearTimeout(timer.current);
    if (state === "open") setConnection("online");
    if (state === "lost") {
      const delay = navigator.onLine ? patience : 0;
      timer.current = setTimeout(() => setConnection("offline"), delay);
    }
  }, []);
  useEffect(() => {
    const onOffline = () => setConnection("offline");
    const onOnline = () => setConnection("online");
    window.addEventListener("offline", onOffline);
    window.addEventListener("online", onOnline);
    return () => {
      clearTimeout(timer.current);
      window.removeEventListener("offline", onOffline);
      window.removeEventListener("online", onOnline);
    };
  }, []);
  return { connection, setConnection, onState };
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const cache = useQueryClient();
  const positions = useRef<Positions>(new Map());
  const [followed, setFollowed] = useState("");
  const { connection, setConnection, onState } = useSettledConnection();

  useEffect(() => {
    if (!followed) return;
    const stopped = new AbortController();
    const leave = (next: Connection) => {
      stopped.abort();
      setConnection(next);
    };
    const reader = {
      address: () => `/api/stream?tapes=${encoded(positions.current)}`,
      onEvent: receive(cache, positions.current, leave),
      onState,
      onRefused: (status: number) => status === 401 && setConnection("signed_out"),
    };
    void followStream(reader, stopped.signal);
    return () => stopped.abort();
  }, [followed, cache, onState, setConnection]);

  const follow = useCallback((tape: number, seq: number) => {
    positions.current.set(tape, seq);
    const renew = () => setFollowed([...positions.current.keys()].sort().join(","));
    renew();
    return () => {
      positions.current.delete(tape);
      renew();
    };
  }, []);

  const live = useMemo(() => ({ connection, follow }), [connection, follow]);
  return <LiveContext value={live}>{children}</LiveContext>;
}
