/** One choice that narrows a list; set, it looks pressed. */
type Props = {
  label: string;
  value: string | undefined;
  choices: [string, string][];
  onChange: (value?: string) => void;
};

export function FilterSelect({ label, value, choices, onChange }: Props) {
  return (
    <select
      className={value ? "chip chip-select pressed" : "chip chip-select"}
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{label}</option>
      {choices.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}
