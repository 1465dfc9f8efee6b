/**
 * Delivers the items of the outbox to the host platform, alert by alert. An alert is fixed before its first attempt, so a
 * repeated attempt has the same ids, even after a crash.
 */

import { counted } from '@clew/model';
import { buildAlert } from '../findings/alerts.ts';
import { stableUuid } from '../findings/identity.ts';
import { type FindingTexts, severityRank, type Triple, type WaitingItem } from '../findings/items.ts';
import type { HostPlatform, Outcome } from '../platforms/platform.ts';
import type { ConnectorState } from '../state/connectorState.ts';
import type { ConnectorSettings } from './settings.ts';

const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;
/** A host may request a longer pause than ours, such as a whole night. */
export const MAX_ASKED_PAUSE_MS = 24 * 3_600_000;

export interface DeliveryReport {
  delivered: number;
  duplicates: number;
  rejected: number;
  /** Why the host did not accept the waiting items. */
  reason: string | undefined;
}

export interface DeliveryOptions {
  readonly settings: ConnectorSettings;
  readonly state: ConnectorState;
  readonly platform: HostPlatform;
  readonly textsOf: (batch: Triple) => Promise<FindingTexts>;
  readonly now: () => number;
  /** Milliseconds since the epoch: no alert is started later. */
  readonly until: number;
  readonly signal?: AbortSignal;
}

/** Ends when no item may be sent now, the host accepts no more, or the time limit is reached. */
export async function deliverWaiting(options: DeliveryOptions): Promise<DeliveryReport> {
  const { settings, state, platform, now, until, signal } = options;
  const report: DeliveryReport = { delivered: 0, duplicates: 0, rejected: 0, reason: undefined };
  await planBatches(settings, state, now());
  for (;;) {
    const due = await state.dueBatches(now());
    if (due.length === 0) return report;
    for (const batch of due) {
      signal?.throwIfAborted();
      if (now() >= until)
        return { ...report, reason: 'run time limit reached; the next run delivers the rest' };
      const items = (await state.itemsOfBatch(batch.id)).toSorted(bySeverity);
      const alert = buildAlert(settings, batch, items, await options.textsOf(batch));
      const outcomes = await attempt(() => platform.deliver(alert, signal), items, signal);
      const refusal = await settle(state, items, outcomes, now(), report);
      signal?.throwIfAborted();
      if (refusal !== undefined)
        return { ...report, reason: `the host platform does not accept more: ${refusal}` };
    }
    // Items that waited for an earlier message about the same finding.
    await planBatches(settings, state, now());
  }
}

/**
 * Orders the most severe items of an alert first. The order depends only on the items, so a repeated alert is
 * identical.
 */
function bySeverity(
  { payload: { finding: one } }: WaitingItem,
  { payload: { finding: other } }: WaitingItem,
): number {
  return (
    severityRank(other.severity) - severityRank(one.severity) ||
    other.exposurePercentage - one.exposurePercentage ||
    other.impactPercentage - one.impactPercentage
  );
}

async function attempt(
  deliver: () => Promise<readonly Outcome[]>,
  items: readonly WaitingItem[],
  signal: AbortSignal | undefined,
): Promise<readonly Outcome[]> {
  try {
    const outcomes = await deliver();
    if (outcomes.length !== items.length)
      throw new Error(`${counted(outcomes.length, 'answer')} to ${counted(items.length, 'item')}`);
    return outcomes;
  } catch (error) {
    signal?.throwIfAborted();
    return items.map(() => ({ result: 'retry', reason: (error as Error).message }));
  }
}

/** @returns why the host accepts no more now, if so */
async function settle(
  state: ConnectorState,
  items: readonly WaitingItem[],
  outcomes: readonly Outcome[],
  now: number,
  report: DeliveryReport,
): Promise<string | undefined> {
  let refusal: string | undefined;
  await state.transaction(async (inside) => {
    for (const [at, item] of items.entries()) {
      const outcome = outcomes[at] as Outcome;
      switch (outcome.result) {
        case 'delivered':
        case 'duplicate':
          await inside.delivered(item, outcome.hostId ?? '', now);
          report[outcome.result === 'delivered' ? 'delivered' : 'duplicates']++;
          break;
        case 'rejected':
          await inside.reject(item, outcome.reason, now);
          report.rejected++;
          break;
        case 'retry':
          await inside.postpone(
            item,
            now + Math.min(outcome.afterMs ?? pauseAfter(item.attempts), MAX_ASKED_PAUSE_MS),
          );
          refusal ??= outcome.reason;
      }
    }
    await inside.removeEmptyBatches();
  });
  return refusal;
}

/** Half of the pause is random, so that connectors do not return at the same time. */
export function pauseAfter(attempts: number): number {
  const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts);
  return pause / 2 + Math.random() * (pause / 2);
}

/** Splits waiting items into alerts of at most `maxEventsPerAlert` findings of one type, zone and environment. */
async function planBatches(settings: ConnectorSettings, state: ConnectorState, now: number): Promise<void> {
  const most = settings.maxEventsPerAlert;
  const { host } = new URL(settings.server);
  for (;;) {
    const isDone = await state.transaction(async (inside) => {
      const group = await inside.unplanned(now);
      if (group === undefined) return true;
      const { triple, kind, items } = group;
      const parts = Math.ceil(items.length / most);
      for (let part = 1; part <= parts; part++) {
        const members = items.slice((part - 1) * most, part * most);
        const ids = members.map(({ eventId }) => eventId);
        const id = stableUuid(host, triple.environmentId, triple.zoneId, triple.findingType, kind, ...ids);
        const place = { part, parts, total: items.length, first: (part - 1) * most + 1 };
        await inside.plan({ ...triple, id, kind, ...place }, members);
      }
      return false;
    });
    if (isDone) return;
  }
}
