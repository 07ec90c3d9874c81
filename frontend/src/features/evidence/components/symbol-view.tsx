/** A name of the code: where it is defined and where it is used, each place opening in this panel. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { CodePlace } from "@/api/types";
import { Skeleton } from "@/components/skeleton";
import { Trouble } from "@/components/trouble";
import { problemText } from "@/lib/problems";
import { symbolQuery } from "../api/get-symbol";
import { Unavailable } from "./unavailable";

/** The line of an excerpt that has the name, or its first. */
function lineWith(name: string, excerpt: string): string {
  const lines = excerpt.trim().split("\n");
  return (lines.find((line) => line.includes(name)) ?? lines[0] ?? "").trim();
}

type PlaceProps = { place: CodePlace; name: string; onOpen: () => void };

function Place({ place, name, onOpen }: PlaceProps) {
  const slash = place.path.lastIndexOf("/") + 1;
  return (
    <li>
      <button type="button" className="place" onClick={onOpen}>
        <span className="path">
          {place.repository.name}/{place.path.slice(0, slash)}
          <b>{place.path.slice(slash)}</b> {place.start_line}
        </span>
        {place.excerpt && (
          <code className="ellipsis" translate="no">
            {lineWith(name, place.excerpt)}
          </code>
        )}
      </button>
    </li>
  );
}

type ListProps = {
  title: string;
  name: string;
  places: CodePlace[];
  onOpen: (place: CodePlace) => void;
};

function Places({ title, name, places, onOpen }: ListProps) {
  if (places.length === 0) return null;
  return (
    <section>
      <h3 className="section-title panel-section">{title}</h3>
      <ol className="code-places" aria-label={title}>
        {places.map((place) => (
          <Place
            key={`${place.repository.id}:${place.path}:${place.start_line}`}
            place={place}
            name={name}
            onOpen={() => onOpen(place)}
          />
        ))}
      </ol>
    </section>
  );
}

type Props = { evidence: number; name: string; onOpen: (place: CodePlace) => void };

export function SymbolView({ evidence, name, onOpen }: Props) {
  const { t } = useTranslation();
  const { data, error, isPending } = useQuery(symbolQuery(evidence, name));
  if (isPending) return <Skeleton text={t("evidence.loadingUses")} />;
  const definitions = data?.definitions ?? [];
  const uses = data?.uses ?? [];
  return (
    <div className="panel-scroll">
      <Trouble text={error ? problemText(error, t) : null} />
      {data?.unavailable && <Unavailable reason={data.unavailable} />}
      {data?.unavailable === null && definitions.length + uses.length === 0 && (
        <p className="panel-empty muted">{t("evidence.noUses", { name })}</p>
      )}
      <Places
        title={t("evidence.definedIn", { count: definitions.length })}
        name={name}
        places={definitions}
        onOpen={onOpen}
      />
      <Places
        title={t("evidence.usedIn", { count: uses.length })}
        name={name}
        places={uses}
        onOpen={onOpen}
      />
    </div>
  );
}
