/** The time that a view of posture looks back over. */
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { dayOf, formatMoment } from '../../text/formats.ts';

export const DEFAULT_DAYS = 30;
/** Looks back to where the user marked all as read. */
export const SINCE_READ = 'read';

/**
 * @param read up to when the user has read all, for pages that look back to it
 * @returns the beginning, RFC 3339: the same as long as the page is open, so that answers can be kept
 */
export function useBeginning(address: Address, read?: string | null): string {
  const [now] = useState(Date.now);
  const day = dayOf(address.get('since'));
  if (day !== undefined) return `${day}T00:00:00Z`;
  if (address.get('days') === SINCE_READ && read) return read;
  const days = address.number('days', DEFAULT_DAYS) || DEFAULT_DAYS;
  return new Date(now - days * 86_400_000).toISOString();
}

/**
 * @param publishedAt time of the newest analysis; both RFC 3339
 * @returns a sentence where the newest analysis is not in the period: a comparison has it at both ends; otherwise `undefined`
 */
export const noAnalysisText = (since: string, publishedAt: string): string | undefined =>
  Date.parse(publishedAt) > Date.parse(since)
    ? undefined
    : `No analysis since ${formatMoment(since)}; the last one was that of ${formatMoment(publishedAt)}.`;
