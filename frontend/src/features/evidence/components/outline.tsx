/** What the cited file defines: about ten around the cited lines, which are marked, then all. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EvidenceLines, OutlineSymbol } from "@/api/types";
import { Icon } from "@/components/icon";
import { Skeleton } from "@/components/skeleton";
import { Trouble } from "@/components/trouble";
import { problemText } from "@/lib/problems";
import { outlineQuery } from "../api/get-outline";
import type { Trail } from "./trail";
import { Unavailable } from "./unavailable";

const shown = 10;

/** The stretch of about ten that has the cited ones in its middle. */
function nearest(symbols: OutlineSymbol[]): OutlineSymbol[] {
  if (symbols.length <= shown) return symbols;
  const cited = symbols.findIndex((each) => each.cited);
  const start = Math.max(0, Math.min(symbols.length - shown, cited - shown / 2));
  return symbols.slice(start, start + shown);
}

type RowProps = { symbol: OutlineSymbol; onOpen: () => void; onUses: () => void };

function Row({ symbol, onOpen, onUses }: RowProps) {
  const { t } = useTranslation();
  return (
    <li className={symbol.cited ? "cited" : ""} aria-current={symbol.cited ? "true" : undefined}>
      <button type="button" className="outline-name grow" onClick={onOpen}>
        <code className="ellipsis">{symbol.symbol}</code>
        <span className="small muted nowrap">
          {symbol.kind} · {symbol.start_line}–{symbol.end_line}
        </span>
      </button>
      <button
        type="button"
        className="quiet"
        aria-label={t("evidence.usesOf", { name: symbol.symbol })}
        onClick={onUses}
      >
        {t("evidence.uses")}
      </button>
    </li>
  );
}

function LookUp({ onName }: { onName: (name: string) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) onName(name.trim());
  };
  return (
    <form className="row look-up" onSubmit={submit}>
      <label className="field grow">
        <Icon name="search" />
        <input
          type="search"
          aria-label={t("evidence.lookUp")}
          placeholder={t("evidence.lookUp")}
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
    </form>
  );
}

/** The last part of a qualified name: what uses are written with. */
function short(symbol: string): string {
  return symbol.split(/[.:#/]+/).at(-1) || symbol;
}

type Props = { evidence: EvidenceLines; trail: Trail };

export function Outline({ evidence, trail }: Props) {
  const { t } = useTranslation();
  const { data, error, isPending } = useQuery(outlineQuery(evidence.id));
  const [all, setAll] = useState(false);
  if (isPending) return <Skeleton text={t("evidence.loadingOutline")} />;
  const symbols = data?.symbols ?? [];
  const { repository, branch, commit, path } = evidence;
  const rows = all ? symbols : nearest(symbols);
  return (
    <div className="panel-scroll">
      <Trouble text={error ? problemText(error, t) : null} />
      {data?.unavailable && <Unavailable reason={data.unavailable} />}
      {data?.unavailable === null && symbols.length === 0 && (
        <p className="panel-empty muted">{t("evidence.noOutline")}</p>
      )}
      <ol className="outline" aria-label={t("evidence.face.outline")}>
        {rows.map((symbol) => (
          <Row
            key={`${symbol.symbol}:${symbol.start_line}`}
            symbol={symbol}
            onOpen={() => trail.open({ ...symbol, repository, branch, commit, path, excerpt: "" })}
            onUses={() => trail.lookUp(short(symbol.symbol))}
          />
        ))}
      </ol>
      {rows.length < symbols.length && (
        <button type="button" className="text-button outline-all" onClick={() => setAll(true)}>
          {t("evidence.wholeOutline", { count: symbols.length })}
        </button>
      )}
      <LookUp onName={trail.lookUp} />
    </div>
  );
}
