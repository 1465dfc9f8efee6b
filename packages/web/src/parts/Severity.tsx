/** How urgent: a word and a shape; the color only repeats it. */

const SIGNS: Readonly<Record<string, string>> = {
  critical: 'M3 0H7L10 3V7L7 10H3L0 7V3Z',
  high: 'M5 0L10 10H0Z',
  moderate: 'M5 0L10 5L5 10L0 5Z',
  low: 'M10 5A5 5 0 1 1 0 5A5 5 0 1 1 10 5Z',
};

export function Severity({ severity }: { readonly severity: string }) {
  return (
    <span className={`severity severity-${severity}`}>
      <svg viewBox="0 0 10 10" width="11" height="11" aria-hidden="true">
        <path d={SIGNS[severity] ?? SIGNS.low} />
      </svg>
      {severity.charAt(0).toUpperCase() + severity.slice(1)}
    </span>
  );
}
