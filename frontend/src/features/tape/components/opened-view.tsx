/** A named view as it reads today, part by part. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isMissing } from "@/api/errors";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { openedViewQuery } from "../api/open-view";
import { ViewPart } from "./view-part";

/** A view that was closed, deleted, or never was: the tape it stood on is still there. */
function NoView({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <StatePanel icon="lock" title={t("views.missing")} text={t("views.missingHint")}>
      <button type="button" className="button" onClick={onClose}>
        {t("tape.wholeTape")}
      </button>
    </StatePanel>
  );
}

type Props = { id: number; onClose: () => void };

export function OpenedView({ id, onClose }: Props) {
  const { t } = useTranslation();
  const head = useRef<HTMLDivElement>(null);
  const { data: view, error, isPending, refetch } = useQuery(openedViewQuery(id));
  const opened = view?.id;
  useEffect(() => {
    // It may be opened from far down the tape, which is longer than it.
    if (opened !== undefined) head.current?.scrollIntoView({ block: "nearest" });
  }, [opened]);
  if (isMissing(error)) return <NoView onClose={onClose} />;
  if (isPending) return <Skeleton text={t("tape.loading")} />;
  if (!view) return <Failure title={t("states.page")} error={error} onRetry={() => refetch()} />;
  return (
    <>
      <div className="row view-head" ref={head}>
        <h2 className="grow" dir="auto">
          {view.name}
        </h2>
        <Link className="quiet" to="/views/$view" params={{ view: String(view.id) }}>
          {view.mine ? t("views.share") : t("views.of", { name: view.owner.display_name })}
        </Link>
        <button type="button" className="quiet" onClick={onClose}>
          {t("tape.wholeTape")}
        </button>
      </div>
      {view.shown.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one view never change places.
        <div key={index}>
          <ViewPart part={part} />
        </div>
      ))}
    </>
  );
}
