/** The time that a view of posture looks back over. */
import { useState } from 'react';
import type { Address } from '../../address.ts';

export const DEFAULT_DAYS = 30;

/** @returns the beginning, RFC 3339: the same as long as the page is open, so that answers can be kept */
export function useBeginning(address: Address): string {
  const [now] = useState(Date.now);
  const days = address.number('days', DEFAULT_DAYS) || DEFAULT_DAYS;
  return new Date(now - days * 86_400_000).toISOString();
}
