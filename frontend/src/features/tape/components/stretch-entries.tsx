/** The entries of a stretch, read from where one looks, with the way on to either side. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { stretchQuery } from "../api/get-stretch";
import type { Piece } from "../fold/pieces";
import { holds } from "../fold/stretches";
import { EntryList } from "./entry-list";
import { useTape } from "./tape-context";

type Props = { first: number; last: number | null; empty?: string };

function covers(pieces: Piece[], seq: number): boolean {
  return pieces.some(({ from, to }) => seq >= from && (to === undefined || seq <= to));
}

/** Reading begins anew elsewhere only when what is looked for is not there yet. */
function useAround(first: number, last: number | null) {
  const { entry } = useTape();
  const wanted = holds({ first, last }, entry) ? (entry ?? null) : null;
  const [around, setAround] = useState(wanted);
  const look = (pieces: Piece[]) => {
    if (wanted !== null && wanted !== around && !covers(pieces, wanted)) setAround(wanted);
  };
  return { around, look };
}

function More({ text, busy, onMore }: { text: string; busy: boolean; onMore: () => void }) {
  return (
    <button
      type="button"
      className="button small-button more-entries"
      disabled={busy}
      onClick={onMore}
    >
      {text}
    </button>
  );
}

export function StretchEntries({ first, last, empty }: Props) {
  const { t } = useTranslation();
  const { tape, kinds, forks } = useTape();
  const { around, look } = useAround(first, last);
  const stretch = { tape: tape.id, head: tape.head, first, last, kinds, forks, around };
  const query = useInfiniteQuery(stretchQuery(stretch));
  const entries = query.data?.pages.flatMap((page) => page.results) ?? [];
  if (query.data && !query.isPlaceholderData) look(query.data.pageParams as Piece[]);
  if (query.isPending) return <Skeleton text={t("tape.loading")} />;
  if (query.error && entries.length === 0) {
    return <Failure title={t("states.page")} error={query.error} onRetry={() => query.refetch()} />;
  }
  return (
    <>
      {query.hasPreviousPage && (
        <More
          text={t("tape.earlier")}
          busy={query.isFetchingPreviousPage}
          onMore={() => void query.fetchPreviousPage()}
        />
      )}
      {entries.length > 0 && <EntryList entries={entries} />}
      {entries.length === 0 && empty && <p className="panel-empty muted">{empty}</p>}
      {query.hasNextPage && (
        <More
          text={t("tape.later")}
          busy={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </>
  );
}
