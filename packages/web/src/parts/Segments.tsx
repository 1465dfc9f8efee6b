/** A group of buttons with one selected, such as "30 days, 90 days, 1 year". */
interface SegmentsProps<Value> {
  readonly label: string;
  readonly choices: readonly (readonly [Value, string])[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

export function Segments<Value>({ label, choices, chosen, onChoose }: SegmentsProps<Value>) {
  return (
    <fieldset className="segments">
      <legend className="unseen">{label}</legend>
      {choices.map(([value, title]) => (
        <button key={title} type="button" aria-pressed={chosen === value} onClick={() => onChoose(value)}>
          {title}
        </button>
      ))}
    </fieldset>
  );
}
