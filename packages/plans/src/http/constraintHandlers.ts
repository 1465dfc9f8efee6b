/**
 * Constraints over HTTP: changes that cannot be made. They apply to the plans of all users, so only users who may see everything can set
 * them.
 */

import {
  CONSTRAINT_COLUMNS,
  type ConstraintRecord,
  type NewConstraint,
  type RepairReference,
} from '@clew/api';
import {
  type ApiError,
  apiError,
  type Handlers,
  parseTime,
  type RequestContext,
  recordPage,
  recordSuccess,
  requireWholeView,
} from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import { type AttackGraph, findNamedNode, NO_NODE, nameOf, objectIdOf } from '@clew/graph';
import { writeMentions } from '@clew/judgment';
import { DEFAULT_COSTS } from '@clew/planning';
import { type Db, inTransaction, wake } from '@clew/store';
import { sql } from 'kysely';
import type { StoredConstraint } from '../tasks/constraints.ts';

type Operations =
  | 'ListPlanConstraints'
  | 'GetPlanConstraint'
  | 'CreatePlanConstraint'
  | 'UpdatePlanConstraint'
  | 'DeletePlanConstraint';

const MAX_CONSTRAINTS = 1000;

export function constraintHandlers(db: Db, generations: GenerationSource): Handlers<Operations> {
  return {
    async ListPlanConstraints(input, context) {
      requireWholeView(context);
      const rows = await db.selectFrom('plan_constraint').selectAll().orderBy('id', 'desc').execute();
      return { status: 200, json: recordPage(rows.map(constraintRecord), CONSTRAINT_COLUMNS, input) };
    },

    async GetPlanConstraint({ params }, context) {
      requireWholeView(context);
      const row = await db
        .selectFrom('plan_constraint')
        .selectAll()
        .where('id', '=', params.constraint_id)
        .executeTakeFirst();
      if (row === undefined) throw apiError('resourceNotFound');
      return { status: 200, json: { data: constraintRecord(row) } };
    },

    async UpdatePlanConstraint({ params, body: { title, reason, until } }, context) {
      requireWholeView(context);
      const end = until === undefined ? undefined : timeOf(until);
      const row = await db.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom('plan_constraint')
          .selectAll()
          .where('id', '=', params.constraint_id)
          .forUpdate()
          .executeTakeFirst();
        if (before === undefined) throw apiError('resourceNotFound');
        const changed = await transaction
          .updateTable('plan_constraint')
          .set({
            title: title ?? before.title,
            reason: reason ?? before.reason,
            until: end === undefined ? before.until : end,
          })
          .where('id', '=', before.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const at = { place: 'constraint', constraint_id: before.id } as const;
        if (reason !== undefined)
          await writeMentions(transaction, { at, text: reason, author: context.principal });
        const fields = { constraint_id: before.id, title: changed.title, reason: changed.reason };
        await recordSuccess(transaction, context, 'UpdatePlanConstraint', fields);
        await wake(transaction, 'plan');
        return changed;
      });
      return { status: 200, json: { data: constraintRecord(row) } };
    },

    async CreatePlanConstraint({ body }, context) {
      requireWholeView(context);
      const { graph } = generations.current();
      const wanted = checked(body, graph);
      const row = await db.transaction().execute(async (transaction) => {
        await requireNew(transaction, wanted);
        return addConstraint(transaction, context, wanted, body.reason);
      });
      return { status: 201, json: { data: constraintRecord(row) } };
    },

    async DeletePlanConstraint({ params }, context) {
      requireWholeView(context);
      const gone = await deleteConstraints(db, context, { id: params.constraint_id });
      if (gone === 0) throw apiError('resourceNotFound');
      return { status: 204 };
    },
  };
}

type Wanted = ReturnType<typeof checked>;

/** @returns the number of deleted constraints */
export function deleteConstraints(
  db: Db,
  context: RequestContext,
  chosen: { readonly id: number } | { readonly bulk_change_id: number },
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const gone = await transaction
      .deleteFrom('plan_constraint')
      .where((where) => where.and(chosen))
      .returning(['id', 'title'])
      .execute();
    for (const { id, title } of gone) {
      const fields = { constraint_id: id, title, ...('bulk_change_id' in chosen && chosen) };
      await recordSuccess(transaction, context, 'DeletePlanConstraint', fields);
    }
    if (gone.length > 0) await wake(transaction, 'plan');
    return gone.length;
  });
}

/** @throws ApiError 400 if there are too many */
export function addConstraint(
  db: Db,
  context: RequestContext,
  wanted: Wanted & { readonly bulk_change_id?: number | null },
  why: string,
): Promise<StoredConstraint> {
  const { name } = requireWholeView(context);
  return inTransaction(db, async (transaction) => {
    const lack = await roomError(transaction, 1);
    if (lack !== undefined) throw lack;
    const made = await transaction
      .insertInto('plan_constraint')
      .values({ ...wanted, reason: why, created_by: name })
      .returningAll()
      .executeTakeFirstOrThrow();
    const { id, subject, title, reason } = made;
    const at = { place: 'constraint', constraint_id: id } as const;
    await writeMentions(transaction, { at, text: reason, author: context.principal });
    const fields = { constraint_id: id, subject, title, reason };
    await recordSuccess(transaction, context, 'CreatePlanConstraint', fields);
    await wake(transaction, 'plan');
    return made;
  });
}

/** @returns an error if the constraints have no room for this many more */
export async function roomError(db: Db, more: number): Promise<ApiError | undefined> {
  const count = await countConstraints(db);
  if (more === 0 || count + more <= MAX_CONSTRAINTS) return undefined;
  const reason =
    count >= MAX_CONSTRAINTS
      ? `there are already ${count} constraints, the maximum: delete one first`
      : `there are already ${count} constraints, and ${more} more exceed the maximum of ${MAX_CONSTRAINTS}: delete some first`;
  return apiError('malformedRequest', { reason });
}

async function countConstraints(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('plan_constraint')
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A repeated request creates one constraint. @throws ApiError 409 if an active constraint has the same content */
async function requireNew(db: Db, wanted: ReturnType<typeof checked>): Promise<void> {
  // Serializes concurrent requests.
  await sql`select pg_advisory_xact_lock(hashtext('plan constraints'))`.execute(db);
  const same = await db
    .selectFrom('plan_constraint')
    .select('title')
    .where('subject', '=', wanted.subject)
    .where(sql<boolean>`repairs is not distinct from ${wanted.repairs}::jsonb`)
    .where(sql<boolean>`object_id is not distinct from ${wanted.object_id}::text`)
    .where(sql<boolean>`repair_kind is not distinct from ${wanted.repair_kind}::text`)
    .where(sql<boolean>`(until is null or until > now())`)
    .executeTakeFirst();
  if (same !== undefined) throw apiError('duplicateConstraint', { title: same.title });
}

/** @returns null for no end date @throws ApiError 400 */
function timeOf(until: string | null | undefined): string | null {
  const time = until == null ? null : parseTime(until);
  if (time === undefined) throw apiError('malformedRequest', { reason: '"until" must be a time' });
  // An ended constraint would be accepted, and change nothing.
  if (time !== null && Date.parse(time) <= Date.now())
    throw apiError('malformedRequest', { reason: '"until" must be in the future' });
  return time;
}

/** @throws ApiError 400 if a value does not match its subject or does not exist */
function checked(
  { subject, repairs, object_id, repair_kind, title, until }: NewConstraint,
  graph: AttackGraph,
) {
  const refuse = (reason: string) => apiError('malformedRequest', { reason });
  const given = { repairs, object_id, repair_kind };
  const needed = NEEDED[subject];
  for (const [key, value] of Object.entries(given))
    if ((value !== undefined) !== (key === needed))
      throw refuse(`a constraint on ${subject} has ${needed}, and nothing else`);
  const time = timeOf(until);
  if (repair_kind !== undefined && !Object.hasOwn(DEFAULT_COSTS, repair_kind))
    throw refuse(`unknown kind of repair ${repair_kind}`);
  const node = object_id === undefined ? NO_NODE : findNamedNode(graph, object_id);
  if (object_id !== undefined && node === NO_NODE) throw refuse(`no object has the id ${object_id}`);
  const name = object_id === undefined ? '' : nameOf(graph, node) || object_id;
  return {
    subject,
    title: title ?? titleOf(subject, repairs ?? [], name, repair_kind ?? ''),
    repairs: repairs === undefined ? null : JSON.stringify(repairs),
    object_id: object_id === undefined ? null : objectIdOf(graph, node),
    repair_kind: repair_kind ?? null,
    until: time,
  };
}

const NEEDED = {
  repairs: 'repairs',
  unneeded: 'repairs',
  object: 'object_id',
  container: 'object_id',
  kind: 'repair_kind',
} as const satisfies Record<NewConstraint['subject'], string>;

function titleOf(
  subject: NewConstraint['subject'],
  repairs: readonly RepairReference[],
  name: string,
  kind: string,
): string {
  switch (subject) {
    case 'unneeded':
    case 'repairs':
      return repairs.length === 1
        ? `${repairs[0]?.kind} of ${repairs[0]?.object_id}`
        : `${repairs.length} changes`;
    case 'object':
      return `Changes to ${name}`;
    case 'container':
      return `Changes to ${name} and all objects below it`;
    case 'kind':
      return `All repairs of kind ${kind}`;
  }
}

export function constraintRecord({
  repairs,
  object_id,
  repair_kind,
  bulk_change_id: _,
  ...row
}: StoredConstraint): ConstraintRecord {
  return {
    ...row,
    ...(repairs !== null && { repairs: repairs as RepairReference[] }),
    ...(object_id !== null && { object_id }),
    ...(repair_kind !== null && { repair_kind }),
  };
}
