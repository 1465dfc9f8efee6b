/** Tells those who want to hear of changes, as long as the service runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryParts, deliverDue, noteEvents, pruneDeliveries } from './deliveries.ts';

const LOOK_MS = 1_000;
const PRUNE_MS = 3_600_000;

export interface RunningWebhooks {
  stop(): Promise<void>;
}

export interface WebhookLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Any number of processes may do this on one database. */
export function startWebhooks(parts: DeliveryParts, log: WebhookLog): RunningWebhooks {
  const abort = new AbortController();
  const { signal } = abort;
  let prunedAt = 0;
  const look = async (): Promise<void> => {
    await noteEvents(parts.db, (id, error) => {
      if (!signal.aborted)
        log.warn({ err: error, webhook: id }, 'what a webhook is told could not be found out');
    });
    while (!signal.aborted && (await deliverDue(parts, signal)) > 0);
    if (Date.now() - prunedAt < PRUNE_MS) return;
    prunedAt = Date.now();
    await pruneDeliveries(parts.db);
  };
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await look().catch((error) => {
        if (!signal.aborted) log.warn({ err: error }, 'webhooks could not be told; it is tried again');
      });
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const running = loop();
  return {
    stop: async () => {
      abort.abort();
      await running;
    },
  };
}
