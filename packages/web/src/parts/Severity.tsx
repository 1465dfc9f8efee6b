/** The severity as a word and a shape; color is not needed to understand it. */
import { capitalized, cleanText } from '../text/cleanText.ts';

const SIGNS: Readonly<Record<string, string>> = {
  critical: 'M3 0H7L10 3V7L7 10H3L0 7V3Z',
  high: 'M5 0L10 10H0Z',
  moderate: 'M5 0L10 5L5 10L0 5Z',
  low: 'M10 5A5 5 0 1 1 0 5A5 5 0 1 1 10 5Z',
};

/** @param reason from the service, which begins with the severity; the severity is shown next to it */
export const reasonText = (reason: string): string =>
  capitalized(cleanText(reason).replace(/^(?:critical|high|moderate|low): /, ''));

interface SeverityProps {
  readonly severity: string;
  /** Shown on hover. */
  readonly reason?: string;
  /** Whether only the mark is colored, as in lists. */
  readonly isQuiet?: boolean;
}

export function Severity({ severity, reason, isQuiet = false }: SeverityProps) {
  return (
    <span
      className={`severity severity-${severity}${isQuiet ? ' by-mark' : ''}`}
      title={reason === undefined ? undefined : reasonText(reason)}
    >
      <svg viewBox="0 0 10 10" width="11" height="11" aria-hidden="true">
        <path d={SIGNS[severity] ?? SIGNS.low} />
      </svg>
      {isQuiet ? <span>{capitalized(severity)}</span> : capitalized(severity)}
    </span>
  );
}
