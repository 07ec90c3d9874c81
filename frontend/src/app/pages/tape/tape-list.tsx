/** The middle of the tape page: search hits, a named view, one kind of entries, or the whole tape. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { tapeSearchQuery } from "@/features/tape/api/search-tape";
import { Hits } from "@/features/tape/components/hits";
import { OpenedView } from "@/features/tape/components/opened-view";
import { StretchEntries } from "@/features/tape/components/stretch-entries";
import { useTape } from "@/features/tape/components/tape-context";
import {
  ForkSwitch,
  KindFilter,
  TapeSearch,
  type Tier,
} from "@/features/tape/components/tape-filters";
import { WholeTape } from "@/features/tape/components/whole-tape";
import type { useTapeFilter } from "./tape-filter";

type Filter = ReturnType<typeof useTapeFilter>;

const tiers: Tier[] = ["exact", "fuzzy", "meaning"];

function useFound(q: string) {
  const { tape, kinds } = useTape();
  return useQuery({
    ...tapeSearchQuery(tape.id, q, kinds),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
}

function Found({ q }: { q: string }) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useFound(q);
  if (isPending) return <Skeleton text={t("tape.searching")} />;
  if (!data) return <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />;
  return <Hits q={q} hits={data.results} cut={data.cut} />;
}

function Content({ filter }: { filter: Filter }) {
  const { t } = useTranslation();
  const { q, view, kind } = filter.search;
  if (q) return <Found q={q} />;
  if (view) return <OpenedView id={view} onClose={() => filter.change({ view: undefined })} />;
  if (kind) return <StretchEntries key={kind} first={1} last={null} empty={t("tape.noneOfKind")} />;
  return <WholeTape />;
}

export function TapeList({ filter }: { filter: Filter }) {
  const { search, text, setText, change } = filter;
  const { data: found } = useFound(search.q ?? "");
  const foundTiers = tiers.filter((tier) => found?.results.some((hit) => hit.tier === tier));
  return (
    <section className="tape-list">
      <TapeSearch text={text} tiers={search.q ? foundTiers : []} onChange={setText} />
      <div className="filter-line">
        <KindFilter group={search.kind} onChange={(kind) => change({ kind })} />
        <ForkSwitch
          on={search.forks === 1}
          onChange={(on) => change({ forks: on ? 1 : undefined })}
        />
      </div>
      <Content filter={filter} />
    </section>
  );
}
