/**
 * Delivers tickets and their changes. No tracker detects duplicate tickets, so the connector searches before it creates one:
 * once, or twice after an attempt with unknown outcome if the index of the tracker lags. A message cannot be found again: it is
 * sent once, or set aside if its outcome is unknown. Rule: `docs/integration.md#tickets`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { NoAnswerError } from '../platforms/http.ts';
import type { ConnectorState } from '../state/connectorState.ts';
import type { TicketItem } from '../state/ticketState.ts';
import { ReadError } from '../tickets/answers.ts';
import { insteadOf } from '../tickets/ticketTexts.ts';
import type { NewTicket, Postponed, TicketRef, Tracker, Turn, WorkSystem } from '../tickets/workSystem.ts';
import { type DeliveryReport, MAX_ASKED_PAUSE_MS, pauseAfter } from './delivery.ts';
import { MessageStop } from './messageStop.ts';
import { readTicketsAgain } from './ticketMarks.ts';

export interface TicketDelivery {
  readonly state: ConnectorState;
  readonly system: WorkSystem;
  readonly now: () => number;
  /** Milliseconds since the epoch: no delivery starts later. */
  readonly until: number;
  readonly signal?: AbortSignal;
  /** Waits between two writes. */
  readonly pause?: (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;
  /** Called with what went wrong for a part of an accepted message. */
  readonly fault?: (text: string) => void;
}

export interface TicketDeliveryReport extends DeliveryReport {
  /** Milliseconds for which the system asks not to be contacted. */
  readonly quietMs?: number;
}

type Result =
  | { readonly result: 'delivered' | 'duplicate'; readonly ref: TicketRef | undefined }
  /** The ticket no longer exists, and no new one is needed. */
  | { readonly result: 'removed' }
  | { readonly result: 'rejected'; readonly reason: string }
  | (Omit<Postponed, 'mayHaveArrived'> & {
      /** The system did not refuse: the ticket is searched for again after the index lag. */
      readonly isLookedFor?: true;
    });

/** Minimum time between two searches for a ticket that the tracker no longer has. */
const SEARCH_AGAIN_MS = 60_000;

const wait = (milliseconds: number, signal?: AbortSignal) => delay(milliseconds, undefined, { signal });

/** Ends when no item may be tried now, the system accepts no more, or the time limit is reached. */
export async function deliverTickets(options: TicketDelivery): Promise<TicketDeliveryReport> {
  const { state, system, now, until, signal, pause = wait } = options;
  const report: DeliveryReport = { delivered: 0, duplicates: 0, rejected: 0, reason: undefined };
  let isFirst = true;
  for (;;) {
    const due = await state.tickets.due(now());
    if (due.length === 0) return report;
    for (const item of due) {
      signal?.throwIfAborted();
      if (now() >= until)
        return {
          ...report,
          reason: 'run time limit reached; the next run delivers the remaining tickets',
        };
      if (!isFirst && system.pauseMs > 0) await pause(system.pauseMs, signal);
      isFirst = false;
      const result = await attempt(options, item);
      await settle(state, item, result, now(), report);
      if (result.result === 'retry' && result.isOwn !== true)
        return {
          ...report,
          ...{ reason: `${system.name} does not accept more: ${result.reason}`, quietMs: result.afterMs },
        };
    }
  }
}

async function attempt(options: TicketDelivery, item: TicketItem): Promise<Result> {
  const { system, signal } = options;
  try {
    if (system.kind === 'messenger') return await sendOnce(options, item);
    return item.kind === 'create'
      ? await create(options, system, item, item.payload.ticket)
      : await change(options, system, item);
  } catch (error) {
    signal?.throwIfAborted();
    const afterMs = error instanceof ReadError ? error.afterMs : undefined;
    return { result: 'retry', reason: (error as Error).message, ...(afterMs !== undefined && { afterMs }) };
  }
}

async function settle(
  state: ConnectorState,
  item: TicketItem,
  result: Result,
  now: number,
  report: DeliveryReport,
): Promise<void> {
  await state.transaction(async (inside) => {
    const { tickets } = inside;
    switch (result.result) {
      case 'delivered':
      case 'duplicate':
        await tickets.delivered(item, result.ref);
        if (result.result === 'duplicate') await readTicketsAgain(inside);
        report[result.result === 'delivered' ? 'delivered' : 'duplicates']++;
        return;
      case 'removed':
        await tickets.removed(item);
        report.delivered++;
        return;
      case 'rejected':
        await tickets.reject(item, result.reason, now);
        report.rejected++;
        return;
      case 'retry':
        await tickets.postpone(
          item.seq,
          now + pauseOf(result, item.attempts),
          result.isLookedFor === true ? '' : result.reason,
        );
    }
  });
}

/** A shorter pause than ours would repeat a refusal within the run. */
function pauseOf({ afterMs = 0, isLookedFor }: Result & { result: 'retry' }, attempts: number): number {
  return isLookedFor === true
    ? afterMs
    : Math.min(Math.max(afterMs, pauseAfter(attempts)), MAX_ASKED_PAUSE_MS);
}

const turnOf = ({ now, until, signal }: TicketDelivery): Turn => ({
  now,
  isOver: () => now() >= until,
  signal,
});

async function create(
  options: TicketDelivery,
  tracker: Tracker,
  { seq, sentAt, lookedAt }: TicketItem,
  ticket: NewTicket,
): Promise<Result> {
  const { state, now, signal } = options;
  const ref = await tracker.find(ticket.successor ?? ticket.key, turnOf(options));
  if (ref !== undefined) return { result: 'duplicate', ref };
  const { lagMs } = tracker;
  if (sentAt > 0 && lagMs > 0) {
    const reason = 'it may already exist, and will be looked up again';
    const again = { result: 'retry', reason, isOwn: true, isLookedFor: true } as const;
    if (lookedAt === 0) {
      await state.tickets.looked(seq, now());
      return { ...again, afterMs: lagMs };
    }
    const left = lookedAt + lagMs - now();
    if (left > 0) return { ...again, afterMs: left };
  }
  await state.tickets.sent(seq, now());
  const made = await sending(() => tracker.create(ticket, signal), signal);
  if (made.result === 'created') return { result: 'delivered', ref: made.ref };
  if (made.result === 'retry' && !made.mayHaveArrived) await state.tickets.sent(seq, 0);
  return made;
}

/** An exception before a connection existed means that nothing arrived. */
async function sending<Made>(
  send: () => Promise<Made>,
  signal: AbortSignal | undefined,
): Promise<Made | Postponed> {
  try {
    return await send();
  } catch (error) {
    signal?.throwIfAborted();
    const mayHaveArrived = !(error instanceof NoAnswerError) || error.mayHaveArrived;
    return { result: 'retry', reason: (error as Error).message, mayHaveArrived };
  }
}

async function change(options: TicketDelivery, tracker: Tracker, item: TicketItem): Promise<Result> {
  const { state } = options;
  const { key, kind, eventId, payload } = item;
  const known = (await state.tickets.ticket(key))?.ref;
  const ref = known ?? (await tracker.find(key, turnOf(options)));
  if (ref !== undefined && kind !== 'create') {
    const changed = await tracker.change(ref, { kind, key, eventId, body: payload.body }, turnOf(options));
    if (changed.result === 'changed') return { result: 'delivered', ref };
    if (changed.result === 'rejected' || changed.result === 'retry') return changed;
    // One answer may be wrong, and a second ticket cannot be deleted.
    const isLost = changed.result === 'missing' || changed.result === 'unreadable';
    if (isLost && item.sentAt === 0 && item.lookedAt === 0) {
      await state.tickets.looked(item.seq, options.now());
      const reason = `${ref.name} does not exist, and will be looked up again`;
      const afterMs = Math.max(tracker.lagMs, SEARCH_AGAIN_MS);
      return { result: 'retry', reason, afterMs, isOwn: true, isLookedFor: true };
    }
    if (changed.result === 'unreadable') return { ...changed, result: 'rejected' };
  }
  // Only a repair that must be done again needs a new ticket, which names the first.
  if (kind !== 'reopen') return { result: 'removed' };
  const { ticket } = payload;
  const named = ref === undefined ? [] : [insteadOf(ref.name)];
  return create(options, tracker, item, {
    ...{ title: ticket.title, key, successor: `${key}-${eventId.slice(0, 8)}` },
    body: [...payload.body, ...named, ...ticket.body],
  });
}

async function sendOnce(options: TicketDelivery, item: TicketItem): Promise<Result> {
  const { state, system, now, signal } = options;
  if (system.kind !== 'messenger') throw new Error('not a messenger');
  const lost = 'it is unknown whether it arrived, and it cannot be looked up: it is not sent again';
  if (item.sentAt > 0) return { result: 'rejected', reason: lost };
  using stop = new MessageStop(signal);
  const { kind, eventId, payload } = item;
  const begin = async (): Promise<void> => {
    stop.begin();
    await state.tickets.sent(item.seq, now());
  };
  const sent = await sending(
    () => system.send({ kind, eventId, ...payload }, { signal: stop.signal, begin }),
    stop.signal,
  );
  if (sent.result === 'sent') {
    if (sent.fault !== undefined) options.fault?.(sent.fault);
    return { result: 'delivered', ref: undefined };
  }
  if (sent.result !== 'retry') return sent;
  if (sent.mayHaveArrived && stop.isBegun) return { result: 'rejected', reason: `${sent.reason}; ${lost}` };
  await state.tickets.sent(item.seq, 0);
  return sent;
}
