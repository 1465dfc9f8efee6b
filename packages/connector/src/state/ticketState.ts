/**
 * Tickets of a connector and their waiting changes, in the tables of its state. A change leaves the outbox in the transaction
 * that stores the id of the ticket, so a crash loses nothing. An attempt is recorded before it is made, so a later one knows that
 * the system may have the change. Rule: `docs/integration.md#tickets`.
 */
import type { Block } from '../tickets/blocks.ts';
import type { ChangeKind, NewTicket, TicketRef, TicketReport } from '../tickets/workSystem.ts';
import { digestOf, keepAside, keptReason } from './outboxRows.ts';
import { type SqlRow, StateError, type Statements } from './sqlEngine.ts';

export const TICKET_TABLES = [
  `create table if not exists ticket (
    key text primary key, plan_id bigint not null, plan_name text not null, title text not null, status text not null,
    followed integer not null default 1, existing integer not null default 0, missed_at bigint not null default 0, opening integer not null default 0,
    done_count integer not null default 0, contradicted integer not null default 0, settled integer not null default 0,
    ref text not null default '', report text not null default '', marked_for text not null default '',
    marked_by text not null default '')`,
  `create table if not exists ticket_outbox (
    seq SERIAL_KEY, key text not null, kind text not null, event_id text not null, payload text not null,
    digest text not null, attempts integer not null default 0, not_before bigint not null default 0,
    sent_at bigint not null default 0, looked_at bigint not null default 0, reason text not null default '')`,
  `create index if not exists ticket_outbox_key on ticket_outbox (key)`,
];
export const TICKET_TABLE_NAMES = ['ticket', 'ticket_outbox'];

export interface KnownTicket {
  readonly key: string;
  readonly planId: number;
  readonly planName: string;
  readonly title: string;
  /** False once its plan has been missing for long. */
  readonly isFollowed: boolean;
  /** Milliseconds since the epoch when its plan was first missed; 0 while the plan exists. */
  readonly missedAt: number;
  /** The last state sent to the ticket, or waiting to be sent. */
  readonly status: 'open' | 'closed';
  /** How often the repair was reopened after it was verified. */
  readonly opening: number;
  /** Number of changes reported as done. */
  readonly doneCount: number;
  /** The ticket was reopened in this opening because an analysis contradicted it. */
  readonly isContradicted: boolean;
  /**
   * The last comment since the opening about a repair with nothing left to do, without proof of all of it: it says so (`said`), or corrects
   * that, because the facts exist again (`corrected`); then each once more. `varies` says that the facts come and go, and is the last one.
   */
  readonly settled: (typeof SETTLED)[number];
  /** Absent until it was created. */
  readonly ref: TicketRef | undefined;
  /** The last report of the ticket. */
  readonly report: TicketReport | undefined;
  /** The closing (`closingOf`) whose marks were set, or that sets none; empty while the ticket is open. */
  readonly markedFor: string;
  /** Name of the user who set marks for it, which is the connector's user; empty before the first mark. */
  readonly markedBy: string;
}

/** In the order of their numbers in the state. */
const SETTLED = ['no', 'said', 'corrected', 'said-again', 'varies'] as const;

export interface TicketPayload {
  readonly ticket: NewTicket;
  /** Text of the change; empty for a new ticket. */
  readonly body: readonly Block[];
}

export interface TicketItem {
  readonly seq: number;
  readonly key: string;
  readonly kind: 'create' | ChangeKind;
  readonly eventId: string;
  readonly payload: TicketPayload;
  readonly attempts: number;
  /** Milliseconds since the epoch of an attempt with unknown outcome; 0 for none. */
  readonly sentAt: number;
  /** Time of a search that did not find it after that attempt; 0 for never. */
  readonly lookedAt: number;
}

/** A waiting change, as `connector status` shows it. */
export interface PostponedChange {
  readonly event_id: string;
  readonly kind: string;
  readonly title: string;
  readonly attempts: number;
  /** The last answer of the system. */
  readonly reason: string;
}

export class TicketState {
  readonly #on: Statements;

  /** @param on statements of a transaction, for changes that are stored together */
  constructor(on: Statements) {
    this.#on = on;
  }

  async ticket(key: string): Promise<KnownTicket | undefined> {
    const [row] = await this.#on.rows('select * from ticket where key = $1', [key]);
    return row === undefined ? undefined : ticketOf(row);
  }

  async tickets(): Promise<readonly KnownTicket[]> {
    return (await this.#on.rows('select * from ticket order by key')).map(ticketOf);
  }

  put(ticket: KnownTicket): Promise<void> {
    const { key, planId, planName, title, status, isFollowed, missedAt, opening, doneCount } = ticket;
    const { isContradicted, settled, ref, report, markedFor, markedBy } = ticket;
    return this.#on.run(
      `insert into ticket (key, plan_id, plan_name, title, status, followed, missed_at, opening, done_count, contradicted, settled, ref,
         report, marked_for, marked_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       on conflict (key) do update set plan_id = excluded.plan_id, plan_name = excluded.plan_name, title = excluded.title,
         status = excluded.status, followed = excluded.followed, missed_at = excluded.missed_at, opening = excluded.opening,
         done_count = excluded.done_count, contradicted = excluded.contradicted, settled = excluded.settled, ref = excluded.ref,
         report = excluded.report, marked_for = excluded.marked_for, marked_by = excluded.marked_by`,
      [
        ...[key, planId, planName, title, status, isFollowed ? 1 : 0, missedAt, opening, doneCount],
        ...[isContradicted ? 1 : 0, SETTLED.indexOf(settled)],
        ...[ref === undefined ? '' : JSON.stringify(ref), report === undefined ? '' : JSON.stringify(report)],
        ...[markedFor, markedBy],
      ],
    );
  }

  /** Withdraws a ticket that was never tried. @returns whether there was one */
  async withdraw(key: string): Promise<boolean> {
    const items = await this.#on.rows(
      `select sent_at from ticket_outbox where key = $1 and kind = 'create'`,
      [key],
    );
    if (items.length === 0 || items.some(({ sent_at }) => Number(sent_at) > 0)) return false;
    await this.#on.run('delete from ticket_outbox where key = $1', [key]);
    await this.#on.run('delete from ticket where key = $1', [key]);
    return true;
  }

  /** Keys of tickets with waiting changes. */
  async waitingKeys(): Promise<ReadonlySet<string>> {
    const rows = await this.#on.rows<{ key: string }>('select distinct key from ticket_outbox');
    return new Set(rows.map(({ key }) => key));
  }

  async enqueue(item: Pick<TicketItem, 'key' | 'kind' | 'eventId' | 'payload'>): Promise<void> {
    const payload = JSON.stringify(item.payload);
    await this.#on.run(
      'insert into ticket_outbox (key, kind, event_id, payload, digest) values ($1, $2, $3, $4, $5)',
      [item.key, item.kind, item.eventId, payload, digestOf(payload)],
    );
  }

  /** The oldest item of each ticket that may be tried now, so that changes are made in order. @throws StateError */
  async due(now: number): Promise<readonly TicketItem[]> {
    const rows = await this.#on.rows(
      `select * from ticket_outbox where not_before <= $1 and not exists (
         select 1 from ticket_outbox earlier where earlier.key = ticket_outbox.key and earlier.seq < ticket_outbox.seq)
       order by seq`,
      [now],
    );
    return rows.map(itemOf);
  }

  /** Records the time before an attempt; 0 after one that did not reach the system. */
  sent(seq: number, at: number): Promise<void> {
    return this.#on.run('update ticket_outbox set sent_at = $2, looked_at = 0 where seq = $1', [seq, at]);
  }

  looked(seq: number, at: number): Promise<void> {
    return this.#on.run('update ticket_outbox set looked_at = $2 where seq = $1', [seq, at]);
  }

  /** @param notBefore milliseconds since the epoch @param reason empty if it only waits for another search */
  postpone(seq: number, notBefore: number, reason: string): Promise<void> {
    return this.#on.run(
      'update ticket_outbox set attempts = attempts + 1, not_before = $2, reason = $3 where seq = $1',
      [seq, notBefore, keptReason(reason)],
    );
  }

  /** Changes that the system did not accept at the last attempt, in order. */
  async postponed(): Promise<readonly PostponedChange[]> {
    const rows = await this.#on.rows('select * from ticket_outbox where attempts > 0 order by seq');
    return rows
      .filter(({ reason }) => Boolean(reason))
      .map((row) => ({
        ...{
          event_id: String(row.event_id),
          kind: String(row.kind),
          title: itemOf(row).payload.ticket.title,
        },
        ...{ attempts: Number(row.attempts), reason: String(row.reason) },
      }));
  }

  /**
   * Records that the system has the change, which makes the last report stale. @param ref reference of its ticket; messages have
   * none
   */
  async delivered({ seq, key }: TicketItem, ref: TicketRef | undefined): Promise<void> {
    await this.#on.run('delete from ticket_outbox where seq = $1', [seq]);
    await this.#on.run(`update ticket set ref = $2, report = '', existing = 1 where key = $1`, [
      key,
      ref === undefined ? '' : JSON.stringify(ref),
    ]);
  }

  /** Records that the system no longer has the ticket. */
  async removed({ seq, key }: TicketItem): Promise<void> {
    await this.#on.run('delete from ticket_outbox where seq = $1', [seq]);
    await this.#on.run('update ticket set existing = 0 where key = $1', [key]);
  }

  /** Sets a change aside that the system will never accept, with the reason. */
  async reject(item: TicketItem, reason: string, now: number): Promise<void> {
    await keepAside(this.#on, item, reason, now);
    await this.#on.run('delete from ticket_outbox where seq = $1', [item.seq]);
  }

  async health(): Promise<{ readonly waiting: number; readonly rejected: number; readonly open: number }> {
    const [row] = await this.#on.rows(
      `select (select count(*) from ticket_outbox) as waiting, (select count(*) from rejected) as rejected,
         (select count(*) from ticket where status = 'open' and existing = 1) as open`,
    );
    const { waiting = 0, rejected = 0, open = 0 } = row ?? {};
    return { waiting: Number(waiting), rejected: Number(rejected), open: Number(open) };
  }
}

const ticketOf = (row: SqlRow): KnownTicket => ({
  ...{ key: String(row.key), planId: Number(row.plan_id), planName: String(row.plan_name) },
  ...{ title: String(row.title), isFollowed: Number(row.followed) === 1, missedAt: Number(row.missed_at) },
  status: row.status as KnownTicket['status'],
  ...{ opening: Number(row.opening), doneCount: Number(row.done_count) },
  ...{ isContradicted: Number(row.contradicted) === 1, settled: SETTLED[Number(row.settled)] ?? 'no' },
  ref: row.ref === '' ? undefined : JSON.parse(String(row.ref)),
  report: row.report === '' ? undefined : JSON.parse(String(row.report)),
  ...{ markedFor: String(row.marked_for), markedBy: String(row.marked_by) },
});

function itemOf(row: SqlRow): TicketItem {
  const payload = String(row.payload);
  if (digestOf(payload) !== row.digest)
    throw new StateError(`item ${row.seq} of the ticket outbox is damaged: restore a copy of the state`);
  return {
    ...{ seq: Number(row.seq), key: String(row.key), kind: row.kind as TicketItem['kind'] },
    ...{ eventId: String(row.event_id), payload: JSON.parse(payload), attempts: Number(row.attempts) },
    ...{ sentAt: Number(row.sent_at), lookedAt: Number(row.looked_at) },
  };
}
