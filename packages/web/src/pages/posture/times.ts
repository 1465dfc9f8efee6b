/** The time that a view of posture looks back over. */
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { dayOf } from '../../text/formats.ts';

export const DEFAULT_DAYS = 30;
const KEY = 'clew.changes-read';
/** Looks back to where the person marked all as read. */
export const SINCE_READ = 'read';

/** When the person marked changes as read at this browser; nothing where that never was. */
export function lastRead(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function markRead(at: string): void {
  try {
    localStorage.setItem(KEY, at);
  } catch {
    // It is unread again when the page comes back.
  }
}

/** @returns the beginning, RFC 3339: the same as long as the page is open, so that answers can be kept */
export function useBeginning(address: Address): string {
  const [now] = useState(Date.now);
  const day = dayOf(address.get('since'));
  if (day !== undefined) return `${day}T00:00:00Z`;
  const read = address.get('days') === SINCE_READ ? lastRead() : undefined;
  if (read !== undefined) return read;
  const days = address.number('days', DEFAULT_DAYS) || DEFAULT_DAYS;
  return new Date(now - days * 86_400_000).toISOString();
}
