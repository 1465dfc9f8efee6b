/**
 * Processes that share a database exchange their request counts, so that a limit applies to all of them together. Database notifications
 * carry the counts: nothing is stored, and a lost one does little harm.
 */
import { randomUUID } from 'node:crypto';
import { type Database, type DatabaseLog, Listener, RequestWork } from '@clew/store';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { RateLimiter } from './rateLimit.ts';

const CHANNEL = 'clew_rate';

const Message = Type.Object({
  from: Type.String(),
  window: Type.Integer(),
  key: Type.String(),
  count: Type.Integer({ minimum: 1 }),
});
const message = Compile(Message);

/** @returns a function that ends the exchange */
export function exchangeCounts(
  limiter: RateLimiter,
  { pool, connection }: Pick<Database, 'pool' | 'connection'>,
  log: DatabaseLog,
): { stop(): Promise<void> } {
  const from = randomUUID();
  limiter.shareWith((count) => {
    const told: Static<typeof Message> = { from, ...count };
    // Counts that cannot be sent apply in this process only. Sending is not part of the request that triggers it.
    RequestWork.outside(() => pool.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(told)])).catch(
      () => {},
    );
  });
  return new Listener({
    connection,
    channels: [CHANNEL],
    log,
    onConnected: () => {},
    onNotification: (_channel, payload) => {
      const heard = parsed(payload);
      if (message.Check(heard) && heard.from !== from) limiter.add(heard);
    },
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
