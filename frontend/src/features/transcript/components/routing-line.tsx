/** Where a question landed: repository, certainty as strokes and as a word, and the reason. */
import { Fragment } from "react";
import { Trans, useTranslation } from "react-i18next";
import { listParts } from "@/lib/wording";
import type { Reason, Routing } from "../fold/shapes";

const strokes = { high: 3, medium: 2, low: 1 } as const;

function Certainty({ level }: { level: Routing["certainty"] }) {
  const { t } = useTranslation();
  const label = t("turn.certainty", { level: t(`turn.level.${level}`) });
  return (
    <span className="certainty" role="img" aria-label={label}>
      {[1, 2, 3].map((stroke) => (
        <i key={stroke} className={stroke <= strokes[level] ? "on" : ""} />
      ))}
    </span>
  );
}

const shownReasons = 3;

/** Words of the question stand in quotes, words of the code in the code's face. */
type Word = { text: string; code: boolean };

function wordFor(reason: Reason): Word {
  const code = reason.kind === "symbol" || reason.kind === "path";
  return { text: code ? reason.code || reason.query : reason.query || reason.code, code };
}

function wordsFor(routing: Routing): Word[] {
  const words = new Map(routing.reasons.map(wordFor).map((word) => [word.text, word]));
  words.delete("");
  return [...words.values()].slice(0, shownReasons);
}

function Quoted({ word }: { word: Word }) {
  const { i18n } = useTranslation();
  if (word.code) return <code>{word.text}</code>;
  return i18n.language === "zh" ? `「${word.text}」` : `“${word.text}”`;
}

function Words({ words }: { words: Word[] }) {
  const { i18n } = useTranslation();
  const places = words.map((_, index) => String(index));
  return listParts(places, i18n.language).map((part, index) => {
    const word = part.type === "element" ? words[Number(part.value)] : undefined;
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence never change places.
    return <Fragment key={index}>{word ? <Quoted word={word} /> : part.value}</Fragment>;
  });
}

/** The one repository, or both where they fit about equally well. */
function Landing({ routing }: { routing: Routing }) {
  const { repository, runnerUp, tied } = routing;
  return (
    <span>
      {tied && runnerUp ? (
        <Trans
          i18nKey="turn.fitsBoth"
          values={{ one: repository, other: runnerUp }}
          components={{ b: <b /> }}
        />
      ) : (
        <Trans i18nKey="turn.landsIn" values={{ repository }} components={{ b: <b /> }} />
      )}
    </span>
  );
}

export function RoutingLine({ routing }: { routing: Routing }) {
  const { t } = useTranslation();
  const words = wordsFor(routing);
  return (
    <div className="routing">
      <Landing routing={routing} />
      <Certainty level={routing.certainty} />
      <span className="small dotted">
        <span>{t(`turn.${routing.certainty}`)}</span>
        {words.length > 0 && (
          <span>
            <Trans
              i18nKey="turn.pointsHere"
              count={words.length}
              components={{ reasons: <Words words={words} /> }}
            />
          </span>
        )}
        {routing.runnerUp && !routing.tied && routing.certainty !== "high" && (
          <span>{t("turn.alsoRelated", { repository: routing.runnerUp })}</span>
        )}
      </span>
    </div>
  );
}
