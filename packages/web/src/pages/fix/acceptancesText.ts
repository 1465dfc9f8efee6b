/** Names the users who accepted findings that a card closes. */
import type { CardRecord } from '@clew/api';
import { cleanText } from '../../text/cleanText.ts';
import { formatDate } from '../../text/formats.ts';

/** @returns " by alice until 31 Dec 2026", or the first of several with the number of the others; empty if not known */
export function acceptancesText({ accepted_count = 0, acceptances = [] }: CardRecord): string {
  const [first] = acceptances;
  if (first === undefined) return '';
  const by = first.by === null ? '' : ` by ${cleanText(first.by)}`;
  const until = first.until === null ? ' without an end' : ` until ${formatDate(first.until)}`;
  const count = acceptances.length === 1 ? '' : ` (${first.count} of ${accepted_count})`;
  return `${by}${until}${count}`;
}
