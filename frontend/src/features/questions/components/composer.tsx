/** Where a question is written: scope, what a press will do, and the press. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api/errors";
import type { Asked, Question, Repository } from "@/api/types";
import { Icon } from "@/components/icon";
import { type Place, previewQuery } from "../api/preview";
import { Consequence } from "./consequence";
import { QuestionBox } from "./question-box";
import { everywhere, ScopePicker } from "./scope-picker";
import { useAsking } from "./use-asking";
import { useDraft } from "./use-draft";

const longestQuestion = 20_000;

type Props = {
  place: Place;
  repositories: Repository[];
  offline: boolean;
  onAsked: (asked: Asked) => void;
};

function useTrouble(asking: ReturnType<typeof useAsking>, text: string, pressedEmpty: boolean) {
  const { t } = useTranslation();
  const excess = Array.from(text).length - longestQuestion;
  if (excess > 0) return t("ask.tooLong", { count: excess });
  if (pressedEmpty && !text.trim()) return t("ask.empty");
  if (!asking.isError) return "";
  if (!(asking.error instanceof ApiError)) return t("ask.failed");
  if (asking.error.status === 429) return t("ask.tooOften");
  return asking.error.status >= 500 ? t("ask.failed") : asking.error.message;
}

function useComposer({ place, offline, onAsked }: Props) {
  const [text, setText] = useDraft(place.topic ? `topic-${place.topic}` : "new");
  const [keepOpen, setKeepOpen] = useState(false);
  const [joining, setJoining] = useState(false);
  const [scope, setScope] = useState(everywhere);
  const [pressedEmpty, setPressedEmpty] = useState(false);
  const { data: preview } = useQuery(previewQuery(place, keepOpen));
  const asking = useAsking((asked) => {
    setText("");
    setJoining(false);
    onAsked(asked);
  });
  const trouble = useTrouble(asking, text, pressedEmpty);

  const submit = () => {
    setPressedEmpty(!text.trim());
    if (!text.trim() || asking.isPending || offline || text.length > longestQuestion * 2) return;
    const joins = joining && preview?.running_turn ? { joins: preview.running_turn } : {};
    const where = place.topic ? { topic: place.topic, ...joins } : { tape: place.tape ?? null };
    const question: Question = { text, keep_open: keepOpen, ...where, ...scope };
    asking.mutate(question);
  };
  return {
    text,
    setText,
    scope,
    setScope,
    preview,
    trouble,
    submit,
    sending: asking.isPending,
    keepOpen: { on: keepOpen, set: setKeepOpen },
    joining: { on: joining, set: setJoining },
  };
}

export function Composer(props: Props) {
  const { t } = useTranslation();
  const composer = useComposer(props);
  const follows = props.place.topic !== undefined;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    composer.submit();
  };
  return (
    <>
      {composer.trouble && (
        <p className="trouble" id="composer-trouble" role="alert">
          <Icon name="warning" />
          {composer.trouble}
        </p>
      )}
      <form className={follows ? "composer compact" : "composer"} onSubmit={onSubmit}>
        <QuestionBox
          text={composer.text}
          rows={follows ? 1 : 3}
          label={follows ? t("ask.followUp") : t("ask.question")}
          placeholder={follows ? t("ask.placeholderTopic") : t("ask.placeholder")}
          invalid={composer.trouble !== ""}
          onChange={composer.setText}
          onEnter={composer.submit}
          focused={!follows}
        />
        <div className="composer-bar">
          <ScopePicker
            repositories={props.repositories}
            scope={composer.scope}
            onChange={composer.setScope}
          />
          <span className="grow" />
          {props.offline ? (
            <span className="small muted">{t("ask.draftKept")}</span>
          ) : (
            <span className="small muted only-wide">
              <kbd>Enter</kbd> {t("ask.enterSends")}
            </span>
          )}
          <button
            type="submit"
            className="button primary"
            aria-label={follows ? t("ask.send") : t("ask.submit")}
            disabled={props.offline || composer.sending}
          >
            {!follows && t("ask.submit")}
            <Icon name="up" />
          </button>
        </div>
      </form>
      <Consequence
        preview={composer.preview}
        keepOpen={composer.keepOpen}
        joining={composer.joining}
      />
    </>
  );
}
