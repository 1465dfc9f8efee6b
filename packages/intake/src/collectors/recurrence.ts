/**
 * Computes when a schedule runs: recurrence rules of RFC 5545, in the time zone of their `DTSTART` (UTC by default). A local time
 * that a clock change skips is not a run, and one that occurs twice is one run (RFC 5545, 3.3.10).
 */
import 'temporal-polyfill/global';
import { apiError } from '@clew/common';
import { RRuleTemporal } from 'rrule-temporal';

/** Frequencies above hourly are rejected as mistakes. Collectors poll every five seconds to a minute. */
const TOO_OFTEN: ReadonlySet<string> = new Set(['SECONDLY', 'MINUTELY']);
const PARTS: ReadonlySet<string> = new Set(
  'FREQ UNTIL COUNT INTERVAL BYHOUR BYMINUTE BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST'.split(
    ' ',
  ),
);
/**
 * Maximum number of steps to find the next run: February 29 may be eight years away. A rule without a run within
 * them is rejected.
 */
const MAX_STEPS = 4_000;

/**
 * @param text with or without `DTSTART` (default: now) and the name `RRULE:`
 * @returns the rule in stored form: `DTSTART...\nRRULE:...`
 * @throws ApiError 400 for an invalid rule, or one that runs too often or never
 */
export function readRule(text: string, now: Date): string {
  const lines = text
    .trim()
    .split(/\r?\n|\\n/)
    .map((line) => line.trim());
  const starts = lines.filter((line) => /^DTSTART\b/i.test(line));
  const rules = lines.filter((line) => !/^(?:DTSTART|EXDATE|RDATE)\b/i.test(line));
  if (rules.length !== 1 || starts.length > 1) throw invalid('it must be one rule with at most one DTSTART');
  const rule = rules[0].replace(/^RRULE:/i, '').toUpperCase();
  const parts = rule.split(';').filter((part) => part !== '');
  const unknown = parts.find((part) => !PARTS.has(part.split('=')[0]));
  if (unknown !== undefined) throw invalid(`${unknown.slice(0, 40)} is not supported`);
  const others = lines.filter((line) => /^(?:EXDATE|RDATE)\b/i.test(line));
  const stored = [starts[0] ?? `DTSTART:${basic(now)}`, `RRULE:${parts.join(';')}`, ...others].join('\n');
  if (TOO_OFTEN.has(parseRule(stored).options().freq)) throw invalid('it can run at most once per hour');
  nextRun(stored, now);
  return stored;
}

/**
 * @param rule the result of `readRule`
 * @returns the first run after the instant; `undefined` if there are no further runs
 * @throws ApiError 400 if no run can be found within the limit
 */
export function nextRun(rule: string, after: Date): Date | undefined {
  try {
    const next = parseRule(rule).next(after, false);
    return next === null ? undefined : new Date(next.epochMilliseconds);
  } catch (error) {
    throw invalid(
      /iterations/.test((error as Error).message) ? 'it never runs again' : (error as Error).message,
    );
  }
}

function parseRule(rruleString: string): RRuleTemporal {
  try {
    return new RRuleTemporal({ rruleString, maxIterations: MAX_STEPS });
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

const invalid = (reason: string) => apiError('invalidRule', { reason: reason.slice(0, 200) });

/** Formats a time like `20261122T164800Z`. */
const basic = (time: Date): string => `${time.toISOString().replace(/[-:]/g, '').slice(0, 13)}00Z`;
