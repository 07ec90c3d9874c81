import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import { earlier, later, type Piece, type Stretch, startOf } from "../fold/pieces";

function piece(stretch: Stretch, { from, to }: Piece, signal: AbortSignal) {
  const { tape, kinds, forks } = stretch;
  const query = {
    from,
    ...(to === undefined ? {} : { to }),
    ...(kinds.length > 0 ? { kinds: kinds.join(",") } : {}),
    ...(forks ? { forks: true } : {}),
    limit: 1_000,
  };
  const params = { path: { tape_id: tape }, query };
  return body(api.GET("/api/tapes/{tape_id}/entries", { params, signal }));
}

/** The entries of a stretch of a tape, a piece at a time to either side. */
export function stretchQuery(stretch: Stretch) {
  const { tape, first, last, kinds, forks, around } = stretch;
  return infiniteQueryOptions({
    queryKey: ["tape", tape, "entries", { first, last, kinds, forks, around }],
    queryFn: ({ signal, pageParam }) => piece(stretch, pageParam, signal),
    initialPageParam: startOf(stretch),
    getPreviousPageParam: (_page, _pages, shown) => earlier(stretch, shown),
    getNextPageParam: (page, _pages, shown) => later(stretch, shown, page.next),
    placeholderData: keepPreviousData,
  });
}
