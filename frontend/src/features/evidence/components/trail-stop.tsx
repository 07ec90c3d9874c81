/** A name looked up or a further place opened, in the same panel, with the way back. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { PlaceLines } from "./place-lines";
import { SymbolView } from "./symbol-view";
import type { Stop, Trail } from "./trail";

function Title({ stop }: { stop: Stop }) {
  const { t } = useTranslation();
  if (stop.kind === "symbol") {
    return (
      <>
        <h2>
          <code>{stop.name}</code>
        </h2>
        <p className="small muted">{t("evidence.definitionAndUses")}</p>
      </>
    );
  }
  const { place } = stop;
  const parts = [place.repository.name, ...place.path.split("/")];
  const file = parts.pop();
  return (
    <>
      <h2>
        <span className="muted">{parts.join(" / ")} / </span>
        {file}
      </h2>
      <p className="small muted dotted">
        <span>{place.branch}</span>
        <span className="mono">{place.commit.slice(0, 7)}</span>
        {place.symbol && <code>{place.symbol}</code>}
      </p>
    </>
  );
}

type Props = { evidence: number; stop: Stop; trail: Trail };

export function TrailStop({ evidence, stop, trail }: Props) {
  const { t } = useTranslation();
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // What was pressed is gone; by keys one goes on from the way back.
    if (stop) back.current?.focus({ preventScroll: true });
  }, [stop]);
  return (
    <>
      <div className="evidence-head">
        <button type="button" className="quiet trail-back" ref={back} onClick={trail.back}>
          <Icon name="previous" />
          {t("evidence.backOne")}
        </button>
        <Title stop={stop} />
      </div>
      {stop.kind === "symbol" ? (
        <SymbolView evidence={evidence} name={stop.name} onOpen={trail.open} />
      ) : (
        <PlaceLines
          key={`${stop.place.path}:${stop.place.start_line}`}
          place={stop.place}
          onName={trail.lookUp}
        />
      )}
    </>
  );
}
