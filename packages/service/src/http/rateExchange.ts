/**
 * Processes that share a database tell each other how many requests they counted, so that a limit holds for all of them
 * together. Notifications of the database carry the counts: nothing is stored, and one that is lost does little harm.
 */
import { randomUUID } from 'node:crypto';
import { type Database, type DatabaseLog, Listener } from '@clew/store';
import * as z from 'zod';
import type { RateLimiter } from './rateLimit.ts';

const CHANNEL = 'clew_rate';

const Message = z.object({
  from: z.string(),
  window: z.number(),
  key: z.string(),
  count: z.number().int().positive(),
});

/** @returns what ends it */
export function exchangeCounts(
  limiter: RateLimiter,
  { pool, connection }: Pick<Database, 'pool' | 'connection'>,
  log: DatabaseLog,
): { stop(): Promise<void> } {
  const from = randomUUID();
  limiter.shareWith((count) => {
    const message: z.infer<typeof Message> = { from, ...count };
    // Counts that cannot be told hold here alone.
    pool.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(message)]).catch(() => {});
  });
  return new Listener({
    connection,
    channels: [CHANNEL],
    log,
    onConnected: () => {},
    onNotification: (_channel, payload) => {
      const message = Message.safeParse(parsed(payload));
      if (message.success && message.data.from !== from) limiter.add(message.data);
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
