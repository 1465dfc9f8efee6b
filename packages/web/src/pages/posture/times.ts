/** The period that a view of posture covers. */
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { dayOf, formatDate, formatMoment } from '../../text/formats.ts';

export const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
/** The period since the user last marked everything as read. */
export const SINCE_READ = 'read';

/**
 * @param read time until which the user has read everything, for pages with that period
 * @returns the start of the period (RFC 3339), which stays the same while the page is open, so that answers can be cached
 */
export function useBeginning(address: Address, read?: string | null): string {
  const [now] = useState(Date.now);
  const day = dayOf(address.get('since'));
  if (day !== undefined) return `${day}T00:00:00Z`;
  if (address.get('days') === SINCE_READ && read) return read;
  const days = address.number('days', DEFAULT_DAYS) || DEFAULT_DAYS;
  return new Date(now - days * DAY_MS).toISOString();
}

/**
 * @param publishedAt time of the latest analysis; both RFC 3339
 * @returns a sentence if the latest analysis precedes the period, so that a comparison has it at both ends; otherwise `undefined`
 */
export const noAnalysisText = (since: string, publishedAt: string): string | undefined =>
  Date.parse(publishedAt) > Date.parse(since)
    ? undefined
    : `No analysis since ${formatMoment(since)}; the last one was on ${formatMoment(publishedAt)}.`;

/**
 * @param first the first analysis of the period, which can be long after its beginning @param from the beginning; both RFC 3339
 * @returns the period of a change, as the end of a sentence
 */
export const periodText = (first: string, from: string, days: number): string =>
  Date.parse(first) - Date.parse(from) > DAY_MS ? `since ${formatDate(first)}` : `in ${days} days`;
