/** The field that searches what the page lists; `/` leads to it. */
import type { ReactNode } from "react";
import { Icon } from "./icon";

type Props = {
  label: string;
  placeholder: string;
  text: string;
  onChange: (text: string) => void;
  /** What stands at its end instead of the key. */
  children?: ReactNode;
};

export function SearchField({ label, placeholder, text, onChange, children }: Props) {
  return (
    <label className="field">
      <Icon name="search" large />
      <span className="hidden">{label}</span>
      <input
        type="search"
        data-search
        value={text}
        dir="auto"
        maxLength={200}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
      {children ?? <kbd className="only-wide">/</kbd>}
    </label>
  );
}
