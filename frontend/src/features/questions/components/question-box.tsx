/** The text field of a question: Enter asks, Shift Enter breaks the line, composing does neither; `@` and `topic:` are completed. */
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { OptionList } from "@/components/option-list";
import { isComposing } from "@/lib/keys";
import { useCompletion } from "./use-completion";

type Props = {
  text: string;
  rows: number;
  label: string;
  placeholder: string;
  invalid: boolean;
  onChange: (text: string) => void;
  onEnter: () => void;
  focused: boolean;
};

function useFocusOnWide(target: RefObject<HTMLElement | null>, wanted: boolean) {
  useEffect(() => {
    if (wanted && window.matchMedia("(min-width: 761px)").matches) {
      target.current?.focus({ preventScroll: true });
    }
  }, [target, wanted]);
}

export function QuestionBox({ text, onChange, onEnter, focused, invalid, ...rest }: Props) {
  const { t, i18n } = useTranslation();
  const box = useRef<HTMLTextAreaElement>(null);
  useFocusOnWide(box, focused);
  const { items, options, follow, kind } = useCompletion({ text, box, onChange });
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent) || options.onKeyDown(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    onEnter();
  };
  const label = kind === "topic" ? t("complete.topics") : t("complete.people");
  // A text field of many lines takes no aria-expanded: the count is told instead.
  const { "aria-expanded": _expanded, ...field } = options.field;
  return (
    <div className="options-under">
      <textarea
        ref={box}
        id="question"
        rows={rest.rows}
        value={text}
        dir="auto"
        lang={text ? undefined : i18n.language}
        placeholder={rest.placeholder}
        aria-label={rest.label}
        aria-invalid={invalid}
        aria-describedby="consequence composer-trouble"
        enterKeyHint="send"
        onChange={(event) => {
          onChange(event.target.value);
          follow();
        }}
        onSelect={follow}
        onKeyDown={onKeyDown}
        {...field}
      />
      <OptionList options={options} label={label} items={items} />
      <span className="hidden" role="status">
        {items.length > 0 && t("complete.count", { count: items.length })}
      </span>
    </div>
  );
}
