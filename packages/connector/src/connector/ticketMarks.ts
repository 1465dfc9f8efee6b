/**
 * Reads tickets back: a closed ticket marks the changes of its repair as done, with its name, state and assignee only; a reopened
 * ticket removes that mark. Each closing sets its marks once, so users may remove them. Marks of other users stay, and a ticket
 * that was closed as anything other than done marks nothing. Rule: `docs/integration.md#tickets`.
 */
import type { ConnectorState } from '../state/connectorState.ts';
import type { KnownTicket } from '../state/ticketState.ts';
import { plainLine } from '../tickets/blocks.ts';
import type { StartedChange } from '../tickets/planSource.ts';
import { isDone, type PlanRepair } from '../tickets/repairs.ts';
import type { TicketRef, TicketReport, Tracker, Turn } from '../tickets/workSystem.ts';

const SINCE = 'tickets:since';

/** A ticket that was found may have been closed before the last read. @param state in a transaction */
export const readTicketsAgain = (state: ConnectorState): Promise<void> => state.setMeta(SINCE, '');

/** Keeps what the tracker says of the tickets of this connector since the last read. */
export async function readTickets(state: ConnectorState, tracker: Tracker, turn: Turn): Promise<void> {
  const { tickets, next } = await tracker.read(await state.meta(SINCE), turn);
  await state.transaction(async (inside) => {
    const known = await inside.tickets.tickets();
    const byId = new Map(known.flatMap((one) => (one.ref === undefined ? [] : [[one.ref.id, one] as const])));
    for (const report of tickets) {
      const one = byId.get(report.id);
      if (one !== undefined && report.labels.includes(one.key)) await inside.tickets.put({ ...one, report });
    }
    await inside.setMeta(SINCE, next);
  });
}

export interface Marking {
  /** Empty for a closing that changes no marks. */
  readonly changes: readonly number[];
  readonly done: boolean;
  readonly note: string;
  /** Empty for an open ticket. */
  readonly closing: string;
}

/** Equal for the same closing, so later edits of its marks by users stay. */
const closingOf = ({ isClosed, closedAt }: TicketReport): string => (isClosed ? closedAt || 'closed' : '');

/** @returns `undefined` if the ticket has no news */
export function markingOf({ changes }: PlanRepair, ticket: KnownTicket): Marking | undefined {
  const { status, ref, report, markedFor, markedBy } = ticket;
  if (ref === undefined || report === undefined || status !== 'open') return undefined;
  const numbers = (fits: (change: StartedChange) => boolean): number[] =>
    changes.filter((change) => !isDone(change) && fits(change)).map(({ number }) => number);
  const isOwn = ({ marked }: StartedChange): boolean => {
    if (marked === null || !marked.note.startsWith(beginning(ref))) return false;
    return markedBy === '' ? hasForm(marked.note, ref) : marked.by === markedBy;
  };
  const closing = closingOf(report);
  if (closing === markedFor && closing !== '') return undefined;
  if (report.isDone) {
    const note = noteOf(ref, report);
    const wanted = numbers(
      (change) => change.marked === null || (isOwn(change) && change.marked.note !== note),
    );
    return { changes: wanted, done: true, note, closing };
  }
  const own = numbers(isOwn);
  if (own.length === 0 && closing === markedFor) return undefined;
  return { changes: own, done: false, note: '', closing };
}

/** A `@` would mention a user of the service. */
const unmentioned = (text: string): string => text.replaceAll('@', ' at ');

const beginning = ({ name }: TicketRef): string => unmentioned(`Ticket ${plainLine(name, 200)}: `);

/** Whether the connector wrote a note, and not a person who named the ticket: the state has no record of it, such as after a reset. */
const hasForm = (note: string, ref: TicketRef): boolean =>
  /^\S.*, assigned to \S.*$/.test(note.slice(beginning(ref).length));

function noteOf(ref: TicketRef, { state, assignee, closedAt }: TicketReport): string {
  const by = assignee === '' ? 'unassigned' : `assigned to ${plainLine(assignee, 200)}`;
  const closed = closedAt === '' ? '' : `, closed ${plainLine(closedAt, 60)}`;
  return `${beginning(ref)}${unmentioned(`${plainLine(state, 100)}${closed}, ${by}`)}`;
}
