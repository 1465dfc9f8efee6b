/** Custom checks in the store, written by users and by definitions of extensions. Everyone who may see findings can read them. */

import { type Actor, apiError } from '@clew/common';
import {
  AdvisoryLock,
  type Db,
  type QueryRun,
  readingChanged,
  type StoredCheckDefinition,
  type StoredNodeFinding,
} from '@clew/store';
import { sql } from 'kysely';
import { actorName } from '../zones/zoneHistory.ts';

/** Maximum number of checks: each generation runs all of them. */
const MAX_CHECKS = 500;

export interface CheckRow extends QueryRun {
  readonly id: number;
  readonly name: string;
  readonly extension_id: number | null;
  readonly definition: StoredCheckDefinition;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly updated_by: string;
  readonly finding_count: number;
}

/** @param visible ids of environments; null for all @param name name of one check; default all */
export async function readChecks(
  db: Db,
  visible: readonly string[] | null,
  name?: string,
): Promise<CheckRow[]> {
  return db
    .selectFrom('custom_check')
    .select([
      ...(['id', 'name', 'extension_id', 'definition', 'enabled'] as const),
      ...(['created_at', 'created_by', 'updated_at', 'updated_by'] as const),
      ...(['ran_at', 'query_ms', 'query_error', 'query_warnings', 'found_at', 'found_columns'] as const),
    ])
    .select(
      sql<number>`(
        select count(*)::integer from finding
        where finding.finding = custom_check.name and finding.deleted_at is null
          and (${visible}::text[] is null or finding.environment_id = any (${visible}::text[]))
      )`.as('finding_count'),
    )
    .$if(name !== undefined, (query) => query.where('custom_check.name', '=', name as string))
    .orderBy('custom_check.name')
    .execute();
}

export interface NewCheck {
  readonly name: string;
  readonly enabled: boolean;
  readonly definition: StoredCheckDefinition;
}

/**
 * @param db must be in a transaction
 * @param extension extension of the check; null for one of the organization
 * @returns whether it is new; undefined if it did not change @throws ApiError 409
 */
export async function storeCheck(
  db: Db,
  actor: Actor,
  { name, enabled, definition }: NewCheck,
  extension: number | null = null,
): Promise<{ readonly isNew: boolean } | undefined> {
  await lockChecks(db);
  const by = actorName(actor);
  const text = JSON.stringify(definition);
  const known = await db
    .selectFrom('custom_check')
    .select(['id', 'extension_id', 'enabled', sql<string>`definition ->> 'cypher'`.as('cypher')])
    .select(sql<boolean>`definition = ${text}::jsonb`.as('is_same'))
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  if (known === undefined) {
    const { count } = await db
      .selectFrom('custom_check')
      .select(sql<number>`count(*)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    if (count >= MAX_CHECKS) throw apiError('tooManyChecks', { count: String(count) });
    await db
      .insertInto('custom_check')
      .values({ name, enabled, definition: text, extension_id: extension, created_by: by, updated_by: by })
      .execute();
    await readingChanged(db);
    return { isNew: true };
  }
  if (known.extension_id !== extension) throw apiError('checkOfExtension');
  if (known.is_same && known.enabled === enabled) return undefined;
  await db
    .updateTable('custom_check')
    .set({ enabled, definition: text, updated_by: by, updated_at: sql<string>`clock_timestamp()` })
    .where('id', '=', known.id)
    .execute();
  // Findings of the previous query do not apply to the new one.
  if (known.cypher !== definition.cypher) await forgetResult(db, known.id);
  await readingChanged(db);
  return { isNew: false };
}

/** Prevents concurrent requests from exceeding the limit, or from adding two checks with one name. */
async function lockChecks(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${AdvisoryLock.checks})`.execute(db);
}

async function forgetResult(db: Db, id: number): Promise<void> {
  await db.deleteFrom('custom_check_offender').where('check_id', '=', id).execute();
  await db
    .updateTable('custom_check')
    .set({
      ...{ ran_at: null, query_ms: null, query_error: null, query_timed_out: null, query_warnings: null },
      ...{ found_at: null, found_columns: sql<string[]>`'{}'::text[]` },
    })
    .where('id', '=', id)
    .execute();
}

/** @param db must be in a transaction @throws ApiError 404 */
export async function switchCheck(db: Db, actor: Actor, name: string, enabled: boolean): Promise<void> {
  const known = await db
    .selectFrom('custom_check')
    .select(['id', 'enabled'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  if (known === undefined) throw apiError('resourceNotFound');
  if (known.enabled === enabled) return;
  await db
    .updateTable('custom_check')
    .set({ enabled, updated_by: actorName(actor), updated_at: sql<string>`clock_timestamp()` })
    .where('id', '=', known.id)
    .execute();
  await readingChanged(db);
}

/** @param db must be in a transaction @throws ApiError 404, 409 */
export async function removeCheck(db: Db, name: string): Promise<void> {
  const known = await db
    .selectFrom('custom_check')
    .select(['id', 'extension_id'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  if (known === undefined) throw apiError('resourceNotFound');
  if (known.extension_id !== null) throw apiError('checkOfExtension');
  await db.deleteFrom('custom_check').where('id', '=', known.id).execute();
  await readingChanged(db);
}

/**
 * Updates the checks of an extension to its definition. A check that a user switched off stays off.
 * @param db in the transaction that installs or removes the definition @param checks empty when it is removed
 */
export async function syncExtensionChecks(
  db: Db,
  actor: Actor,
  extension: number,
  checks: readonly StoredNodeFinding[],
): Promise<void> {
  await lockChecks(db);
  const names = checks.map(({ name }) => name);
  // Ordered like the writes of a generation, to avoid deadlocks.
  const stored = await db
    .selectFrom('custom_check')
    .select(['name', 'enabled'])
    .where('extension_id', '=', extension)
    .orderBy('id')
    .forUpdate()
    .execute();
  const enabledBefore = new Map(stored.map(({ name, enabled }) => [name, enabled]));
  const gone = stored.map(({ name }) => name).filter((name) => !names.includes(name));
  if (gone.length > 0) await db.deleteFrom('custom_check').where('name', 'in', gone).execute();
  for (const { name, enabled, ...definition } of checks)
    await storeCheck(db, actor, { name, enabled: enabledBefore.get(name) ?? enabled, definition }, extension);
}
