/** One way to narrow costs; what is chosen stands in it, and taking it back is its first choice. */
type Props = {
  all: string;
  value: string | undefined;
  choices: [string, string][];
  onChange: (value: string | undefined) => void;
};

export function CostSelect({ all, value, choices, onChange }: Props) {
  const known = value === undefined || choices.some(([each]) => each === value);
  return (
    <select
      className={value === undefined ? "chip chip-select" : "chip chip-select pressed"}
      aria-label={all}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{all}</option>
      {!known && <option value={value}>{value}</option>}
      {choices.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
}
