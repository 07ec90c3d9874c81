/** No repository settles the question: said plainly, with the words that were tried and a way on. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { languageOf } from "@/lib/wording";
import { text } from "../fold/read";
import type { TurnStory } from "../fold/shapes";
import { useTranscript } from "./transcript-context";

const shownWords = 8;
const longestTitle = 40;

/** The words that searches looked for, each once. */
function triedIn(story: TurnStory): string[] {
  const tried = story.steps.flatMap((step) =>
    Array.isArray(step.data.tried) ? step.data.tried : [],
  );
  return [...new Set(tried.map(text).filter(Boolean))].slice(0, shownWords);
}

export function NotFound({ story }: { story: TurnStory }) {
  const { t } = useTranslation();
  const { mayAddWords } = useTranscript();
  const asked = story.question?.text.trim() ?? "";
  const tried = triedIn(story);
  const [first] = tried;
  const title =
    asked && asked.length <= longestTitle
      ? t("turn.notFoundFor", { words: asked })
      : t("turn.notFound");
  return (
    <div className="not-found">
      <p className="row">
        <Icon name="search" />
        <b>{title}</b>
      </p>
      <p>{t("turn.notFoundHint")}</p>
      {tried.length > 0 && (
        <p className="row wrap tags">
          <span className="small muted">{t("turn.tried")}</span>
          {tried.map((word) => (
            <span key={word} className="tag" lang={languageOf(word)}>
              {word}
            </span>
          ))}
        </p>
      )}
      {mayAddWords && (
        <p>
          <Link
            className="button small-button"
            to="/vocabulary"
            search={first ? { add: first } : {}}
          >
            {t("turn.addWord")}
          </Link>
        </p>
      )}
    </div>
  );
}
