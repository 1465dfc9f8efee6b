/** Rows shared by the outboxes of findings and tickets. */
import { createHash } from 'node:crypto';
import { cutTo } from '../cutTo.ts';
import type { Statements } from './sqlEngine.ts';

const MAX_REASON = 1000;

/** Stored with a payload to detect damage. */
export const digestOf = (payload: string): string => createHash('sha256').update(payload).digest('base64');

export const keptReason = (reason: string): string => cutTo(reason, MAX_REASON);

export interface RefusedItem {
  readonly eventId: string;
  readonly key: string;
  readonly kind: string;
  readonly payload: unknown;
}

/** Sets an item aside that the other side will never accept, with the reason. */
export function keepAside(
  on: Statements,
  { eventId, key, kind, payload }: RefusedItem,
  reason: string,
  now: number,
): Promise<void> {
  return on.run(
    `insert into rejected (event_id, key, kind, reason, payload, rejected_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (event_id) do update set reason = excluded.reason, rejected_at = excluded.rejected_at`,
    [eventId, key, kind, keptReason(reason), JSON.stringify(payload), now],
  );
}
