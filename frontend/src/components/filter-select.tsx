/** One choice that narrows a list; what is chosen stands in it, and taking it back is its first choice. */
type Props = {
  label: string;
  value: string | undefined;
  choices: [string, string][];
  onChange: (value?: string) => void;
};

export function FilterSelect({ label, value, choices, onChange }: Props) {
  const known = value === undefined || choices.some(([each]) => each === value);
  return (
    <select
      className={value === undefined ? "chip chip-select" : "chip chip-select pressed"}
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{label}</option>
      {!known && <option value={value}>{value}</option>}
      {choices.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}
