/** Words for values of the API. */
import { formatDay } from '../../text/formats.ts';

const STATUS: Readonly<Record<string, string>> = {
  active: 'Open',
  accepted: 'Accepted',
  remediated: 'Resolved',
  orphaned: 'Orphaned',
  deprecated: 'Retired',
};

export const statusText = (status: string): string => STATUS[status] ?? status;
export const STATUSES: readonly (readonly [value: string, words: string])[] = Object.entries(STATUS);

export const severityText = (severity: string): string =>
  severity.charAt(0).toUpperCase() + severity.slice(1);

/** "due Dec 31, 2026" */
export const dueWords = (due: string, overdue: boolean | undefined): string =>
  `${overdue ? 'overdue since' : 'due'} ${formatDay(due)}`;
