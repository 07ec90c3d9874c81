/** How a repository stands: a word, with an icon or a colour beside it. */
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Icon } from "@/components/icon";
import { stateOf } from "../words/state";

export function Status({ repository }: { repository: Repository }) {
  const { t } = useTranslation();
  const state = stateOf(repository);
  const word = t(`repositories.${state}`);
  if (state === "fresh") {
    return (
      <span className="row small good status-word">
        <Icon name="check" />
        {word}
      </span>
    );
  }
  if (state === "failed") {
    return (
      <span className="tag bad">
        <Icon name="warning" />
        {word}
      </span>
    );
  }
  return <span className={state === "indexing" ? "tag info" : "tag"}>{word}</span>;
}
