/** Describes the last and the next issue of a stored report in one line. */
import type { ReportRecord } from '@clew/api';
import { cleanText, uncapitalized } from '../../text/cleanText.ts';
import { formatAge, formatDate } from '../../text/formats.ts';

export function stateText({ ended, failure, next_at, issues, owner, is_own }: ReportRecord): string {
  const [newest] = issues;
  return [
    ...(is_own ? [] : [`of ${cleanText(owner)}`]),
    newest === undefined ? 'not created yet' : `created ${formatAge(newest.made_at)}`,
    ...(ended === null ? [] : [`ended: ${uncapitalized(ended)}`]),
    ...(failure === null
      ? []
      : [`could not be created ${formatAge(failure.at)} (${uncapitalized(cleanText(failure.reason))})`]),
    ...(next_at === null ? [] : [`next on ${formatDate(next_at)}`]),
  ].join(', ');
}
