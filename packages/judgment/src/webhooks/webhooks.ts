/** Delivers events to webhooks for as long as the service runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  attemptDelivery,
  claimDue,
  type DeliveryParts,
  type DeliveryRow,
  noteEvents,
  pruneDeliveries,
} from './deliveries.ts';

const LOOK_MS = 1_000;
const PRUNE_MS = 3_600_000;

export interface RunningWebhooks {
  stop(): Promise<void>;
}

export interface WebhookLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Each webhook has its own queue with one delivery at a time, so a slow receiver delays no other. There are at most as many queues as
 * webhooks. Any number of processes may do this on one database.
 */
export function startWebhooks(parts: DeliveryParts, log: WebhookLog): RunningWebhooks {
  const abort = new AbortController();
  const { signal } = abort;
  /** Queues keyed by webhook id. */
  const lanes = new Map<string, Promise<void>>();
  let prunedAt = Number.NEGATIVE_INFINITY;
  const report = (error: unknown): void => {
    if (!signal.aborted) log.warn({ err: error }, 'webhooks could not be called; this will be retried');
  };
  const look = async (): Promise<void> => {
    await noteEvents(parts.db, (id, error) => {
      if (!signal.aborted) log.warn({ err: error, webhook: id }, 'the events of a webhook could not be read');
    });
    for (const delivery of await claimDue(parts.db, { except: [...lanes.keys()] })) {
      const id = delivery.webhook_id;
      const lane = deliverAll(parts, delivery, signal)
        .catch(report)
        .finally(() => lanes.delete(id));
      lanes.set(id, lane);
    }
    if (performance.now() - prunedAt < PRUNE_MS) return;
    prunedAt = performance.now();
    await pruneDeliveries(parts.db);
  };
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await look().catch(report);
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const running = loop();
  return {
    stop: async () => {
      abort.abort();
      await running;
      await Promise.all(lanes.values());
    },
  };
}

/** Attempts a delivery, and the following ones while they are due. */
async function deliverAll(parts: DeliveryParts, first: DeliveryRow, signal: AbortSignal): Promise<void> {
  let next: DeliveryRow | undefined = first;
  while (next !== undefined && !signal.aborted) {
    await attemptDelivery(parts, next, signal);
    [next] = await claimDue(parts.db, { only: first.webhook_id });
  }
}
