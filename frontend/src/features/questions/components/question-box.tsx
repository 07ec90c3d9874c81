/** The text field of a question: Enter asks, Shift Enter breaks the line, composing does neither. */
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isComposing } from "@/lib/keys";

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
  const { i18n } = useTranslation();
  const box = useRef<HTMLTextAreaElement>(null);
  useFocusOnWide(box, focused);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    onEnter();
  };
  return (
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
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
