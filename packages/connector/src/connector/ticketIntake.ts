/** Compares repairs of started plans with their tickets, and adds reports to the outbox. Rule: `docs/integration.md#tickets`. */
import { stableUuid } from '../findings/identity.ts';
import type { KnownTicket, TicketItem, TicketState } from '../state/ticketState.ts';
import type { Block } from '../tickets/blocks.ts';
import {
  hasFacts,
  isContradicted,
  isDone,
  isOver,
  isSettled,
  isToDo,
  type PlanRepair,
} from '../tickets/repairs.ts';
import {
  closeText,
  contradictionText,
  PLAN_NOTES,
  planTitle,
  progressText,
  repairTitle,
  returnedText,
  settledText,
  TICKET_NOTES,
} from '../tickets/ticketTexts.ts';
import type { NewTicket } from '../tickets/workSystem.ts';

export interface TicketCounts {
  created: number;
  updated: number;
  closed: number;
}

/** One event of a repair, with the ticket in its state after the event. */
export interface TicketNews {
  readonly kind: TicketItem['kind'];
  readonly known: KnownTicket;
  /** Distinguishes the event from earlier ones of its kind. */
  readonly occasion: string;
  readonly body: readonly Block[];
}

/**
 * @param isRead whether states of tickets are read back; if not, each contradiction is reported once
 * @returns `undefined` if there is nothing to report
 */
export function newsOf(
  server: string,
  one: PlanRepair,
  known: KnownTicket | undefined,
  isRead: boolean,
): TicketNews | undefined {
  const { key, plan, changes } = one;
  const doneCount = changes.filter(isDone).length;
  if (known === undefined) {
    if (!changes.some(isToDo)) return undefined;
    const made = { status: 'open', opening: 0, ...UNTOLD, ref: undefined, ...UNMARKED } as const;
    const of = { planId: plan.plan_id, planName: plan.name, title: repairTitle(one) };
    return {
      ...{ kind: 'create', occasion: '', body: [] },
      known: { key, ...of, isFollowed: true, missedAt: 0, doneCount, report: undefined, ...made },
    };
  }
  // A waiting change makes the last report of a ticket stale.
  const told = { ...known, doneCount, report: undefined };
  const at = plan.published_at;
  if (isOver(one))
    return known.status === 'closed'
      ? undefined
      : { kind: 'close', known: { ...told, status: 'closed' }, occasion: at, body: closeText(server, one) };
  if (known.status === 'closed') {
    const opening = known.opening + 1;
    // Without states that come back, this is the one contradiction of the opening.
    const again = { ...told, ...UNTOLD, status: 'open', opening, isContradicted: !isRead } as const;
    return { kind: 'reopen', known: again, occasion: at, body: contradictionText(server, one) };
  }
  const isSaidDone = !isRead || (known.report?.isDone === true && isAfter(at, known.report.closedAt));
  if (isSaidDone && !known.isContradicted && changes.some(isContradicted))
    return {
      ...{ kind: 'reopen', known: { ...told, isContradicted: true, settled: 'no' } },
      ...{ occasion: `contradicted ${at}`, body: contradictionText(server, one) },
    };
  if (isSettled(one) && (known.settled === 'no' || known.settled === 'corrected')) {
    const next = known.settled === 'no' ? 'said' : 'said-again';
    const settled = { ...known, doneCount, settled: next } as const;
    return { kind: 'note', known: settled, occasion: `settled ${at}`, body: settledText(server, one) };
  }
  // A closed ticket is reopened as soon as an analysis contradicts its marks.
  const isSaid = known.settled === 'said' || known.settled === 'said-again';
  if (isSaid && known.report?.isDone !== true && changes.some(hasFacts)) {
    // Sessions come and go with each collection, and must not fill the ticket.
    const isLast = known.settled === 'said-again';
    const corrected = { ...known, doneCount, settled: isLast ? 'varies' : 'corrected' } as const;
    const body = returnedText(server, one, isLast);
    return { kind: 'note', known: corrected, occasion: `corrected ${at}`, body };
  }
  if (doneCount === known.doneCount) return undefined;
  return {
    ...{ kind: 'note', known: { ...known, doneCount } },
    ...{ occasion: `${doneCount} ${at}`, body: progressText(server, one) },
  };
}

/** Each starts again in an opening. */
const UNTOLD = { isContradicted: false, settled: 'no' } as const;
const UNMARKED = { markedFor: '', markedBy: '' };

/** An analysis before the closing does not show the repair. @returns `true` if the tracker has no time of the closing */
const isAfter = (publishedAt: string, closedAt: string): boolean =>
  !(Date.parse(publishedAt) <= Date.parse(closedAt));

/** @param state in a transaction */
export async function enqueueEvent(
  state: TicketState,
  { kind, known, occasion, body }: TicketNews,
  ticket: NewTicket,
  counts: TicketCounts,
): Promise<void> {
  const { key, opening } = known;
  await state.put(known);
  const eventId = stableUuid(key, kind, opening, occasion);
  await state.enqueue({ key, kind, eventId, payload: { ticket, body } });
  counts[kind === 'create' ? 'created' : kind === 'close' ? 'closed' : 'updated']++;
}

/** A plan with tickets that is missing or has returned. */
export interface PlanTickets {
  readonly planName: string;
  readonly tickets: readonly KnownTicket[];
  /** A channel gets one message per plan; otherwise each open ticket gets a comment. */
  readonly isPerPlan: boolean;
}

/** The plan has been missing for long: its open tickets say so and are no longer followed. @param state in a transaction */
export async function enqueueMissing(
  state: TicketState,
  plan: PlanTickets,
  counts: TicketCounts,
): Promise<void> {
  const kept: KnownTicket[] = [];
  for (const one of plan.tickets) {
    if (await state.withdraw(one.key)) continue;
    await state.put({ ...one, isFollowed: false });
    kept.push(one);
  }
  await enqueueNotes(state, { ...plan, tickets: kept }, 'missing', counts);
}

/** The plan has returned: tickets that were no longer followed say so. @param state in a transaction */
export async function enqueueReturn(
  state: TicketState,
  plan: PlanTickets,
  counts: TicketCounts,
): Promise<void> {
  for (const one of plan.tickets) await state.put({ ...one, isFollowed: true, missedAt: 0 });
  const tickets = plan.tickets.filter(({ isFollowed }) => !isFollowed);
  await enqueueNotes(state, { ...plan, tickets }, 'back', counts);
}

async function enqueueNotes(
  state: TicketState,
  { planName, tickets, isPerPlan }: PlanTickets,
  occasion: 'missing' | 'back',
  counts: TicketCounts,
): Promise<void> {
  const open = tickets.filter(({ status }) => status === 'open');
  for (const { key, title: own, missedAt } of isPerPlan ? open.slice(0, 1) : open) {
    const title = isPerPlan ? planTitle(planName) : own;
    const body = isPerPlan ? PLAN_NOTES[occasion] : TICKET_NOTES[occasion];
    const ticket: NewTicket = { key, title, body: [] };
    const eventId = stableUuid(key, occasion, missedAt);
    await state.enqueue({ key, kind: 'note', eventId, payload: { ticket, body } });
    counts.updated++;
  }
}
