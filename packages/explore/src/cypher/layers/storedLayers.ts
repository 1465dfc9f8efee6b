/**
 * Layers in the store, so that each process of the service answers with the same. A layer begins with its first change, and ends a day
 * after it, or by request. Rule: `docs/cypher.md#layers`.
 */
import { CypherError } from '@clew/cypher';
import { type Db, expectOwnTables } from '@clew/store';
import { sql } from 'kysely';
import type pg from 'pg';

/** Layers of one user at a time. */
const MAX_LAYERS = 5;
const LIFETIME = '1 day';

export interface LayerName {
  /** Id of its user. */
  readonly owner: string;
  readonly name: string;
}

export interface StoredLayer {
  readonly id: string;
  readonly version: number;
  /** Absent if the reader has this version. */
  readonly content?: Uint8Array;
}

/** @returns `undefined` for a layer that has not begun, or has ended */
export async function readLayer(
  client: pg.ClientBase,
  { owner, name }: LayerName,
  known: { readonly id: string; readonly version: number } | undefined,
): Promise<StoredLayer | undefined> {
  const { rows } = await client.query<{ id: string; version: number; changes: Buffer | null }>(
    `select id, version, case when id = $3 and version = $4 then null else changes end as changes
     from query_layer where user_id = $1 and name = $2 and ends_at > now()`,
    [owner, name, known?.id ?? null, known?.version ?? null],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return { id: row.id, version: row.version, ...(row.changes && { content: row.changes }) };
}

/** Name of the error for a change that the database did not confirm. Errors lose their class between threads. */
export const COMMIT_LOST = 'CommitLost';

/** Time to wait for a lock of another transaction, which changes the tables or another layer. */
const LOCK_WAIT = '5s';

/**
 * Stores a new version of a layer.
 * @param before the version that was changed; absent for a new layer
 * @returns the new version; `undefined` if another query has changed the layer meanwhile
 * @throws CypherError for too many layers, Error while a newer version changes the tables, or a lock is held, and `COMMIT_LOST`
 */
export async function writeLayer(
  client: pg.ClientBase,
  name: LayerName,
  before: StoredLayer | undefined,
  content: Uint8Array,
  count: number,
): Promise<StoredLayer | undefined> {
  let written: StoredLayer | undefined;
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = '${LOCK_WAIT}'`);
    await expectOwnTables(client);
    written =
      before === undefined
        ? await beginLayer(client, name, content, count)
        : await changeLayer(client, before, content, count);
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
  try {
    await client.query('commit');
  } catch (error) {
    throw written === undefined ? error : new CommitLost(error);
  }
  return written;
}

/** The database may have stored the change: a query that runs again would change the layer twice. */
class CommitLost extends Error {
  override readonly name = COMMIT_LOST;
  constructor(cause: unknown) {
    super('the database did not confirm the change of the layer', { cause });
  }
}

async function changeLayer(
  client: pg.ClientBase,
  { id, version }: StoredLayer,
  content: Uint8Array,
  count: number,
): Promise<StoredLayer | undefined> {
  const { rows } = await client.query<{ version: number }>(
    `update query_layer set version = version + 1, changes = $3, change_count = $4, changed_at = now()
     where id = $1 and version = $2 and ends_at > now() returning version`,
    [id, version, content, count],
  );
  return rows[0] && { id, version: rows[0].version };
}

async function beginLayer(
  client: pg.ClientBase,
  { owner, name }: LayerName,
  content: Uint8Array,
  count: number,
): Promise<StoredLayer | undefined> {
  // The layers of one user begin one after the other, so that they can be counted.
  await client.query('select from user_account where id = $1 for no key update', [owner]);
  await client.query('delete from query_layer where ends_at <= now()');
  const { rows: own } = await client.query<{ name: string }>(
    'select name from query_layer where user_id = $1',
    [owner],
  );
  const isThere = own.some((one) => one.name === name);
  if (!isThere && own.length >= MAX_LAYERS)
    throw new CypherError(
      'limit',
      `a user has at most ${MAX_LAYERS} layers: end one of ${own.map((one) => one.name).join(', ')} first`,
    );
  const { rows } = await client.query<{ id: string; version: number }>(
    `insert into query_layer (user_id, name, version, changes, change_count, created_at, changed_at, ends_at)
     values ($1, $2, 1, $3, $4, now(), now(), now() + interval '${LIFETIME}')
     on conflict do nothing returning id, version`,
    [owner, name, content, count],
  );
  return rows[0];
}

export interface ListedLayer {
  readonly name: string;
  readonly changes: number;
  readonly bytes: number;
  readonly created_at: string;
  readonly changed_at: string;
  readonly ends_at: string;
}

export async function listLayers(db: Db, owner: string): Promise<readonly ListedLayer[]> {
  const rows = await db
    .selectFrom('query_layer')
    .select(['name', 'change_count as changes', 'created_at', 'changed_at', 'ends_at'])
    .select(sql<number>`octet_length(changes)`.as('bytes'))
    .where('user_id', '=', owner)
    .where('ends_at', '>', sql<never>`now()`)
    .orderBy('name')
    .execute();
  return rows as readonly ListedLayer[];
}

/** @returns whether the user had a layer with this name */
export async function endLayer(db: Db, { owner, name }: LayerName): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('query_layer')
    .where('user_id', '=', owner)
    .where('name', '=', name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes layers that have ended. */
export async function deleteEndedLayers(db: Db): Promise<void> {
  await db.deleteFrom('query_layer').where('ends_at', '<=', sql<never>`now()`).execute();
}
