/** Where a question is written: scope, what a press will do, and the press. */
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Asked, Repository } from "@/api/types";
import { Icon } from "@/components/icon";
import type { Place } from "../api/preview";
import { BudgetWarning } from "./budget-warning";
import { Consequence } from "./consequence";
import { FromAnchor } from "./from-anchor";
import { QuestionBox } from "./question-box";
import { ScopePicker } from "./scope-picker";
import { useComposer } from "./use-composer";

type Props = {
  place: Place;
  repositories: Repository[];
  offline: boolean;
  onAsked: (asked: Asked) => void;
  /** Asks as usual again, where the place names an anchor. */
  onLeaveAnchor?: () => void;
  /** Whether the topic in view is one's own; another's is gone on from in a topic of one's own. */
  own?: boolean;
};

function wordsOf(follows: boolean, own: boolean) {
  if (!follows) return { label: "ask.question", placeholder: "ask.placeholder" } as const;
  if (own) return { label: "ask.followUp", placeholder: "ask.placeholderTopic" } as const;
  return { label: "ask.goOn", placeholder: "ask.placeholderShared" } as const;
}

export function Composer(props: Props) {
  const { t } = useTranslation();
  const composer = useComposer(props);
  const follows = props.place.topic !== undefined;
  const words = wordsOf(follows, props.own ?? true);
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
      {props.place.after && props.onLeaveAnchor && (
        <FromAnchor after={props.place.after} onLeave={props.onLeaveAnchor} />
      )}
      <form className={follows ? "composer compact" : "composer"} onSubmit={onSubmit}>
        <QuestionBox
          text={composer.text}
          rows={follows ? 1 : 3}
          label={t(words.label)}
          placeholder={t(words.placeholder)}
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
          <label className="as-experiment small" title={t("experiment.hint")}>
            <input
              type="checkbox"
              checked={composer.experiment.on}
              disabled={composer.joining.on}
              onChange={(event) => composer.experiment.set(event.target.checked)}
            />
            {t("experiment.ask")}
          </label>
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
        own={props.own ?? true}
      />
      <BudgetWarning budget={composer.preview?.budget} />
    </>
  );
}
