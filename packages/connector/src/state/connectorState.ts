/**
 * The state of a connector: its position in the feed, the findings that the host platform has, and the items that
 * wait for delivery (the outbox). One transaction moves the cursor and stores the items of a page in the outbox, and
 * only the acknowledgement of the host removes them, so a crash at any point loses nothing. Rule:
 * `docs/integration.md#state`.
 */
import type {
  FindingFacts,
  ItemKind,
  ItemPayload,
  ItemStatus,
  OutboxItem,
  PlannedBatch,
  Triple,
  WaitingItem,
} from '../findings/items.ts';
import { digestOf, keepAside } from './outboxRows.ts';
import { type SqlEngine, type SqlRow, StateError, type Statements } from './sqlEngine.ts';
import { TICKET_TABLE_NAMES, TICKET_TABLES, TicketState } from './ticketState.ts';

const SCHEMA_VERSION = '1';

/** Within this time, a finding that was closed by mistake is reopened with its old identity. */
const CLOSED_KNOWN_MS = 90 * 24 * 3_600_000;

const TABLES = [
  `create table if not exists meta (name text primary key, value text not null)`,
  `create table if not exists cursor (
    environment_id text not null, zone_id integer not null, finding_type text not null,
    position text not null default '', analysis text not null default '', dirty integer not null default 1,
    primary key (environment_id, zone_id, finding_type))`,
  `create table if not exists item (
    key text primary key,
    environment_id text not null, zone_id integer not null, finding_type text not null,
    finding_id bigint not null, status text not null, facts text not null, life integer not null default 0,
    host_id text not null default '', delivered integer not null default 0, told_at bigint not null default 0)`,
  `create index if not exists item_finding on item (environment_id, zone_id, finding_type, finding_id)`,
  `create table if not exists outbox (
    seq SERIAL_KEY,
    key text not null, kind text not null, environment_id text not null, zone_id integer not null,
    finding_type text not null, event_id text not null, payload text not null, digest text not null,
    batch_id text, attempts integer not null default 0, not_before bigint not null default 0)`,
  `create index if not exists outbox_key on outbox (key)`,
  `create index if not exists outbox_batch on outbox (batch_id)`,
  `create table if not exists batch (
    id text primary key, kind text not null, environment_id text not null, zone_id integer not null,
    finding_type text not null, part integer not null, parts integer not null, total integer not null, first integer not null)`,
  `create table if not exists rejected (
    event_id text primary key, key text not null, kind text not null, reason text not null, payload text not null,
    rejected_at bigint not null)`,
  `create table if not exists closed (
    key text primary key, finding_id bigint not null, life integer not null, closed_at bigint not null)`,
  ...TICKET_TABLES,
];

export interface Cursor extends Triple {
  /** Latest `updated_at` of a complete read; empty before the first. */
  readonly position: string;
  /** Time of the analysis that was read last, if known. */
  readonly analysis: string;
  /** The list changed since. */
  readonly dirty: boolean;
}

/** A finding that the host has, or that waits for delivery. */
export interface KnownItem extends Triple {
  readonly key: string;
  readonly findingId: number;
  readonly status: ItemStatus;
  /** The values last sent to the host, or sent next; not those of an update that can still be replaced. */
  readonly facts: FindingFacts;
  /** Number of reopenings after an acceptance. */
  readonly life: number;
  readonly hostId: string;
  readonly delivered: boolean;
  /** Milliseconds since the epoch: when a change was last sent to the host. */
  readonly toldAt: number;
}

/** An item of the outbox. */
export interface QueuedItem {
  readonly eventId: string;
  readonly facts: FindingFacts;
  /** An update that no host has seen. */
  readonly isReplaceable: boolean;
}

export interface Health {
  readonly waiting: number;
  readonly rejected: number;
  readonly open: number;
}

export class ConnectorState {
  readonly #engine: SqlEngine;
  readonly #on: Statements;

  private constructor(engine: SqlEngine, on: Statements) {
    this.#engine = engine;
    this.#on = on;
  }

  /** @param source address of the service that has the findings @throws StateError for the state of another service */
  static async open(
    engine: SqlEngine,
    source: string,
    engineName: 'file' | 'postgres',
  ): Promise<ConnectorState> {
    const serial = engineName === 'file' ? 'integer primary key autoincrement' : 'bigserial primary key';
    await engine.transaction(async (on) => {
      for (const table of TABLES) await on.run(table.replace('SERIAL_KEY', serial));
    });
    const state = new ConnectorState(engine, engine);
    const version = await state.meta('version');
    if (version !== undefined && version !== SCHEMA_VERSION)
      throw new StateError(`the state is of version ${version}; this program reads ${SCHEMA_VERSION}`);
    const owner = await state.meta('source');
    if (owner !== undefined && owner !== source)
      throw new StateError(
        `the state belongs to ${owner}, not to ${source}: give this connector its own state`,
      );
    await state.transaction(async (inside) => {
      await inside.setMeta('version', SCHEMA_VERSION);
      await inside.setMeta('source', source);
    });
    return state;
  }

  /** Reads a state that another process may be changing. */
  static look(engine: SqlEngine): ConnectorState {
    return new ConnectorState(engine, engine);
  }

  /** Runs changes as one transaction. */
  transaction<Result>(work: (state: ConnectorState) => Promise<Result>): Promise<Result> {
    if (this.#on !== this.#engine) return work(this);
    return this.#engine.transaction((on) => work(new ConnectorState(this.#engine, on)));
  }

  /** Tickets of repairs, for a connector of work. */
  get tickets(): TicketState {
    return new TicketState(this.#on);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async meta(name: string): Promise<string | undefined> {
    const [row] = await this.#on.rows<{ value: string }>('select value from meta where name = $1', [name]);
    return row?.value;
  }

  setMeta(name: string, value: string): Promise<void> {
    return this.#on.run(
      'insert into meta (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [name, value],
    );
  }

  /** Deletes everything except the owner of the state; delivered findings are delivered again. */
  async reset(): Promise<void> {
    for (const table of ['cursor', 'item', 'outbox', 'batch', 'rejected', 'closed', ...TICKET_TABLE_NAMES])
      await this.#on.run(`delete from ${table}`);
    await this.#on.run(`delete from meta where name not in ('version', 'source')`);
  }

  async cursor(triple: Triple): Promise<Cursor> {
    const [row] = await this.#on.rows(
      'select * from cursor where environment_id = $1 and zone_id = $2 and finding_type = $3',
      valuesOf(triple),
    );
    return row === undefined ? { ...triple, position: '', analysis: '', dirty: true } : cursorOf(row);
  }

  setCursor({ position, analysis, dirty, ...triple }: Cursor): Promise<void> {
    return this.#on.run(
      `insert into cursor (environment_id, zone_id, finding_type, position, analysis, dirty) values ($1, $2, $3, $4, $5, $6)
       on conflict (environment_id, zone_id, finding_type)
       do update set position = excluded.position, analysis = excluded.analysis, dirty = excluded.dirty`,
      [...valuesOf(triple), position, analysis, dirty ? 1 : 0],
    );
  }

  /** A list that was never read needs no mark. */
  markChanged(triple: Triple): Promise<void> {
    return this.#on.run(
      'update cursor set dirty = 1 where environment_id = $1 and zone_id = $2 and finding_type = $3',
      valuesOf(triple),
    );
  }

  /** All lists are read from the beginning; the findings of the host stay known. */
  readAgain(): Promise<void> {
    return this.#on.run(`update cursor set position = '', analysis = '', dirty = 1`);
  }

  async item(key: string): Promise<KnownItem | undefined> {
    const [row] = await this.#on.rows('select * from item where key = $1', [key]);
    return row === undefined ? undefined : itemOf(row);
  }

  async itemOfFinding(triple: Triple, findingId: number): Promise<KnownItem | undefined> {
    const [row] = await this.#on.rows(
      'select * from item where environment_id = $1 and zone_id = $2 and finding_type = $3 and finding_id = $4',
      [...valuesOf(triple), findingId],
    );
    return row === undefined ? undefined : itemOf(row);
  }

  /** Triples with findings at the host. */
  async triples(): Promise<readonly Triple[]> {
    const rows = await this.#on.rows(
      'select distinct environment_id, zone_id, finding_type from item order by environment_id, zone_id, finding_type',
    );
    return rows.map(tripleOf);
  }

  async itemsOf(triple: Triple): Promise<readonly KnownItem[]> {
    const rows = await this.#on.rows(
      'select * from item where environment_id = $1 and zone_id = $2 and finding_type = $3 order by key',
      valuesOf(triple),
    );
    return rows.map(itemOf);
  }

  putItem(item: KnownItem): Promise<void> {
    return this.#on.run(
      `insert into item (key, environment_id, zone_id, finding_type, finding_id, status, facts, life, host_id,
         delivered, told_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (key) do update set finding_id = excluded.finding_id, status = excluded.status,
         facts = excluded.facts, life = excluded.life, host_id = excluded.host_id,
         delivered = excluded.delivered, told_at = excluded.told_at`,
      [
        item.key,
        ...valuesOf(item),
        item.findingId,
        item.status,
        JSON.stringify(item.facts),
        item.life,
        item.hostId,
        item.delivered ? 1 : 0,
        item.toldAt,
      ],
    );
  }

  /** Waiting items of a finding, in order. */
  async waitingOf(key: string): Promise<readonly QueuedItem[]> {
    const rows = await this.#on.rows('select * from outbox where key = $1 order by seq', [key]);
    return rows.map((row) => ({
      eventId: String(row.event_id),
      facts: (JSON.parse(String(row.payload)) as ItemPayload).finding,
      isReplaceable: row.kind === 'update' && Number(row.attempts) === 0 && row.batch_id === null,
    }));
  }

  /** Withdraws an update that no host has seen. */
  async withdraw(key: string): Promise<void> {
    await this.#on.run(
      `delete from outbox where key = $1 and kind = 'update' and attempts = 0 and batch_id is null`,
      [key],
    );
  }

  /** Replaces a waiting item with an earlier change of the same finding, unless that may have been sent. */
  async enqueue(item: OutboxItem, notBefore = 0): Promise<void> {
    if (item.kind !== 'create') await this.withdraw(item.key);
    const payload = JSON.stringify(item.payload);
    await this.#on.run(
      `insert into outbox (key, kind, environment_id, zone_id, finding_type, event_id, payload, digest, not_before)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [item.key, item.kind, ...valuesOf(item), item.eventId, payload, digestOf(payload), notBefore],
    );
  }

  /**
   * Gets the next group of items without a batch, of one triple and kind, oldest first. It contains only the oldest
   * item of each finding, so that changes are sent in order.
   */
  async unplanned(
    now: number,
  ): Promise<
    { readonly triple: Triple; readonly kind: ItemKind; readonly items: readonly PlanItem[] } | undefined
  > {
    const ready = `batch_id is null and not_before <= $1
      and not exists (select 1 from outbox earlier where earlier.key = outbox.key and earlier.seq < outbox.seq)`;
    const [first] = await this.#on.rows(`select * from outbox where ${ready} order by seq limit 1`, [now]);
    if (first === undefined) return undefined;
    const triple = tripleOf(first);
    const items = await this.#on.rows<PlanItem>(
      `select seq, event_id as "eventId" from outbox where ${ready}
         and kind = $2 and environment_id = $3 and zone_id = $4 and finding_type = $5 order by seq`,
      [now, first.kind, ...valuesOf(triple)],
    );
    return { triple, kind: first.kind as ItemKind, items };
  }

  async plan(batch: PlannedBatch, items: readonly PlanItem[]): Promise<void> {
    await this.#on.run(
      `insert into batch (id, kind, environment_id, zone_id, finding_type, part, parts, total, first)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (id) do nothing`,
      [batch.id, batch.kind, ...valuesOf(batch), batch.part, batch.parts, batch.total, batch.first],
    );
    for (const { seq } of items)
      await this.#on.run('update outbox set batch_id = $1 where seq = $2', [batch.id, seq]);
  }

  /** Batches that may be sent now, in the order of planning. */
  async dueBatches(now: number): Promise<readonly PlannedBatch[]> {
    const rows = await this.#on.rows(
      `select batch.*, min(seq) as first_seq from batch join outbox on batch_id = id
       group by id, batch.kind, batch.environment_id, batch.zone_id, batch.finding_type, part, parts, total, first
       having max(not_before) <= $1 order by first_seq`,
      [now],
    );
    return rows.map((row) => ({
      ...tripleOf(row),
      id: String(row.id),
      kind: row.kind as ItemKind,
      part: Number(row.part),
      parts: Number(row.parts),
      total: Number(row.total),
      first: Number(row.first),
    }));
  }

  /** @throws StateError if an item differs from the stored one */
  async itemsOfBatch(batchId: string): Promise<readonly WaitingItem[]> {
    const rows = await this.#on.rows('select * from outbox where batch_id = $1 order by seq', [batchId]);
    return rows.map((row) => {
      const payload = String(row.payload);
      if (digestOf(payload) !== row.digest)
        throw new StateError(`item ${row.seq} of the outbox is damaged: restore a copy of the state`);
      return {
        ...tripleOf(row),
        seq: Number(row.seq),
        key: String(row.key),
        kind: row.kind as ItemKind,
        eventId: String(row.event_id),
        payload: JSON.parse(payload),
        attempts: Number(row.attempts),
      };
    });
  }

  /** Records that the host has the item. @param hostId its id at the host; empty if unknown */
  async delivered({ seq, key, kind, payload }: WaitingItem, hostId: string, now: number): Promise<void> {
    await this.#on.run('delete from outbox where seq = $1', [seq]);
    await this.#on.run(
      `update item set delivered = 1, told_at = $2, host_id = case when $3 = '' then host_id else $3 end where key = $1`,
      [key, now, hostId],
    );
    if (kind === 'update') await this.#setFacts(key, payload.finding);
    if (kind === 'close') await this.#forgetClosed(key, now);
  }

  /** Sets an item aside that the host will never accept, with the reason. */
  async reject(item: WaitingItem, reason: string, now: number): Promise<void> {
    await keepAside(this.#on, item, reason, now);
    await this.#on.run('delete from outbox where seq = $1', [item.seq]);
    // Without this, the update would be sent repeatedly.
    if (item.kind === 'update') await this.#setFacts(item.key, item.payload.finding);
    if (item.kind === 'close') await this.#forgetClosed(item.key, now);
  }

  #setFacts(key: string, facts: FindingFacts): Promise<void> {
    return this.#on.run('update item set facts = $2 where key = $1', [key, JSON.stringify(facts)]);
  }

  /** @param notBefore milliseconds since the epoch */
  postpone({ seq }: WaitingItem, notBefore: number): Promise<void> {
    return this.#on.run('update outbox set attempts = attempts + 1, not_before = $2 where seq = $1', [
      seq,
      notBefore,
    ]);
  }

  async rejectedItems(): Promise<
    readonly { readonly event_id: string; readonly kind: string; readonly reason: string }[]
  > {
    return this.#on.rows('select event_id, kind, reason from rejected order by rejected_at, event_id');
  }

  /** Number of items that wait for the host. */
  async waiting(): Promise<number> {
    const [row] = await this.#on.rows<{ count: number }>('select count(*) as count from outbox');
    return Number(row?.count ?? 0);
  }

  /** @param includeAccepted whether the host keeps accepted findings open */
  async health({ includeAccepted }: { readonly includeAccepted: boolean }): Promise<Health> {
    const waits = (kind: ItemKind): string =>
      `exists (select 1 from outbox where outbox.key = item.key and outbox.kind = '${kind}')`;
    const open = includeAccepted ? `('active', 'accepted')` : `('active')`;
    const [row] = await this.#on.rows(
      `select (select count(*) from outbox) as waiting, (select count(*) from rejected) as rejected,
         (select count(*) from item where delivered = 1
            and (status in ${open} and not ${waits('reopen')} or ${waits('close')})) as open`,
    );
    return {
      waiting: Number(row?.waiting ?? 0),
      rejected: Number(row?.rejected ?? 0),
      open: Number(row?.open ?? 0),
    };
  }

  /** The life in which the host closed a finding; `undefined` if the host did not close it. */
  async closedLife(key: string, findingId: number): Promise<number | undefined> {
    const [row] = await this.#on.rows('select life from closed where key = $1 and finding_id = $2', [
      key,
      findingId,
    ]);
    return row === undefined ? undefined : Number(row.life);
  }

  /**
   * An acceptance also closes a finding, and may end. The state remembers closed findings for a while, because
   * closing may have been a mistake.
   */
  async #forgetClosed(key: string, now: number): Promise<void> {
    const over = `key = $1 and status not in ('active', 'accepted')
         and not exists (select 1 from outbox where outbox.key = item.key)`;
    await this.#on.run(
      `insert into closed (key, finding_id, life, closed_at)
         select key, finding_id, life, ${Math.trunc(now)} from item where ${over}
       on conflict (key) do update set finding_id = excluded.finding_id, life = excluded.life,
         closed_at = excluded.closed_at`,
      [key],
    );
    await this.#on.run(`delete from item where ${over}`, [key]);
    await this.#on.run('delete from closed where closed_at < $1', [now - CLOSED_KNOWN_MS]);
  }

  /** Called after the outcomes of a batch. */
  removeEmptyBatches(): Promise<void> {
    return this.#on.run(
      'delete from batch where not exists (select 1 from outbox where batch_id = batch.id)',
    );
  }
}

export interface PlanItem {
  readonly seq: number;
  readonly eventId: string;
}

const valuesOf = ({ environmentId, zoneId, findingType }: Triple) =>
  [environmentId, zoneId, findingType] as const;

const tripleOf = (row: SqlRow): Triple => ({
  environmentId: String(row.environment_id),
  zoneId: Number(row.zone_id),
  findingType: String(row.finding_type),
});

const cursorOf = (row: SqlRow): Cursor => ({
  ...tripleOf(row),
  position: String(row.position),
  analysis: String(row.analysis),
  dirty: row.dirty === 1,
});

const itemOf = (row: SqlRow): KnownItem => ({
  ...tripleOf(row),
  key: String(row.key),
  findingId: Number(row.finding_id),
  status: row.status as ItemStatus,
  facts: JSON.parse(String(row.facts)),
  life: Number(row.life),
  hostId: String(row.host_id),
  delivered: row.delivered === 1,
  toldAt: Number(row.told_at),
});
