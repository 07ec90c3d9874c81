/** A named view as it reads today for whoever looks, with the way to open it to others. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { isMissing } from "@/api/errors";
import type { OpenedPart, TapeDetail } from "@/api/types";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { ShareButton } from "@/features/sharing/components/share-button";
import { tapeQuery } from "@/features/tape/api/get-tape";
import { openedViewQuery } from "@/features/tape/api/open-view";
import { TapeContext, type TapeLook } from "@/features/tape/components/tape-context";
import { EmptyPart, ViewPart } from "@/features/tape/components/view-part";
import { usePageTitle } from "@/lib/page-title";
import { languageOf } from "@/lib/wording";

/** What is read here is acted on where it stands: a press leads to the tape's own page. */
function useReading(tape: TapeDetail): TapeLook {
  const navigate = useNavigate();
  return useMemo(() => {
    const params = { tape: String(tape.id) };
    const go = (search: { entry: number } | { turn: number; call: number }) =>
      void navigate({ to: "/tapes/$tape", params, search });
    const onGo = (entry: number) => go({ entry });
    return {
      tape,
      people: tape.owner ? [tape.owner] : [],
      entry: undefined,
      call: undefined,
      kinds: [],
      forks: false,
      selected: new Set<number>(),
      mayWrite: false,
      onSelect: onGo,
      onGo,
      onCall: (turn: number, call: number) => go({ turn, call }),
      onCorrect: (entry) => onGo(entry.seq),
      onAskFrom: onGo,
    };
  }, [navigate, tape]);
}

function OnItsTape({ tape, part }: { tape: TapeDetail; part: OpenedPart }) {
  return (
    <TapeContext value={useReading(tape)}>
      <ViewPart part={part} />
    </TapeContext>
  );
}

function Content({ part }: { part: OpenedPart }) {
  const { t } = useTranslation();
  const tape = part.entries[0]?.tape;
  const { data, error, refetch } = useQuery({
    ...tapeQuery(tape ?? 0),
    enabled: tape !== undefined,
  });
  if (data) return <OnItsTape tape={data} part={part} />;
  if (tape === undefined) return <EmptyPart part={part} />;
  if (error) return <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />;
  return <Skeleton text={t("tape.loading")} />;
}

function Part({ part, number }: { part: OpenedPart; number: number }) {
  const { t } = useTranslation();
  return (
    <section className="card view-part" aria-label={t("views.part", { number })}>
      <Content part={part} />
    </section>
  );
}

function NoView({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <main className="page lone">
      {isMissing(error) ? (
        <StatePanel
          heading="h1"
          icon="lock"
          title={t("views.missing")}
          text={t("views.missingHint")}
        >
          <Link className="button primary" to="/views">
            {t("views.all")}
          </Link>
        </StatePanel>
      ) : (
        <Failure heading="h1" title={t("states.page")} error={error} onRetry={onRetry} />
      )}
    </main>
  );
}

export function ViewPage() {
  const { t } = useTranslation();
  const { view: id } = useParams({ from: "/shell/views/$view" });
  const { data: view, error, isPending, refetch } = useQuery(openedViewQuery(Number(id)));
  usePageTitle(view?.name ?? t("views.title"));
  if (isPending) return <Skeleton text={t("tape.loading")} />;
  if (!view) return <NoView error={error} onRetry={() => refetch()} />;
  return (
    <main className="page view-page">
      <header className="page-head">
        <div className="grow">
          <h1 lang={languageOf(view.name)} dir="auto">
            {view.name}
          </h1>
          <p>{view.mine ? t("views.lead") : t("views.from", { name: view.owner.display_name })}</p>
        </div>
        {view.mine && <ShareButton subject={{ kind: "view", id: view.id }} shared={view.shared} />}
      </header>
      {view.shown.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one view never change places.
        <Part key={index} part={part} number={index + 1} />
      ))}
    </main>
  );
}
