/** No repository settles the question: said plainly, with a way on. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import type { TurnStory } from "../fold/shapes";
import { useTranscript } from "./transcript-context";

const longestTitle = 40;

export function NotFound({ story }: { story: TurnStory }) {
  const { t } = useTranslation();
  const { mayAddWords } = useTranscript();
  const asked = story.question?.text.trim() ?? "";
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
      {mayAddWords && (
        <p className="not-found-act">
          <Link className="button small-button" to="/vocabulary" search={{ adding: 1 }}>
            {t("turn.addWord")}
          </Link>
        </p>
      )}
    </div>
  );
}
