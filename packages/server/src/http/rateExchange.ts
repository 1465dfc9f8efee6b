/**
 * Processes that share a database tell each other how many requests they counted, so that a limit holds for all of them
 * together. Notifications of the database carry the counts: nothing is stored, and one that is lost does little harm.
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

/** @returns what ends it */
export function exchangeCounts(
  limiter: RateLimiter,
  { pool, connection }: Pick<Database, 'pool' | 'connection'>,
  log: DatabaseLog,
): { stop(): Promise<void> } {
  const from = randomUUID();
  limiter.shareWith((count) => {
    const told: Static<typeof Message> = { from, ...count };
    // Counts that cannot be told hold here alone.
    // It is no work of the request that happened to be the last of its part.
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
