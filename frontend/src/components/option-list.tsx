/** Options under a text field, walked by the arrow keys while the field keeps the focus. */
import { type KeyboardEvent, useId, useState } from "react";

type Given = { count: number; onPick: (index: number) => void; onClose: () => void };

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
const picks = new Set(["Enter", "Tab"]);

type Options = ReturnType<typeof useOptions>;

export function useOptions({ count, onPick, onClose }: Given) {
  const id = useId();
  const [at, setAt] = useState(0);
  const active = count > 0 ? Math.min(at, count - 1) : -1;
  const pick = (index: number) => {
    setAt(0);
    onPick(index);
  };
  /** Whether the key was meant for the options. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const step = steps[event.key];
    const meant = step !== undefined || picks.has(event.key) || event.key === "Escape";
    if (count === 0 || event.shiftKey || !meant) return false;
    event.preventDefault();
    event.stopPropagation();
    if (step !== undefined) setAt((active + step + count) % count);
    else if (event.key === "Escape") onClose();
    else pick(active);
    return true;
  };
  const field = {
    "aria-autocomplete": "list" as const,
    "aria-expanded": count > 0,
    "aria-controls": count > 0 ? id : undefined,
    "aria-activedescendant": active >= 0 ? `${id}-${active}` : undefined,
  };
  return { id, active, pick, setAt, onKeyDown, field };
}

type Item = { key: string; name: string; detail: string };

type Props = { options: Options; label: string; items: Item[] };

export function OptionList({ options, label, items }: Props) {
  if (items.length === 0) return null;
  return (
    <div className="options" role="listbox" id={options.id} aria-label={label}>
      {items.map((item, index) => (
        <div
          key={item.key}
          role="option"
          id={`${options.id}-${index}`}
          tabIndex={-1}
          className="option"
          aria-selected={index === options.active}
          onMouseMove={() => options.setAt(index)}
          onMouseDown={(event) => {
            // The field keeps the focus.
            event.preventDefault();
            options.pick(index);
          }}
        >
          <span className="ellipsis" dir="auto">
            {item.name}
          </span>
          {item.detail && <span className="small muted ellipsis">{item.detail}</span>}
        </div>
      ))}
    </div>
  );
}
