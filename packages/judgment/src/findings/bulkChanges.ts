/**
 * Changes many findings in one request. The previous state of each finding is kept for a day, and a change can be undone for findings that
 * are still in the state it left them in.
 *
 * Rule: `docs/findings.md#many-at-once`.
 */
import type { BulkChange, UndoneRecord } from '@clew/api';
import { type Actor, apiError, recordSuccess, type UserPrincipal } from '@clew/common';
import type { Db } from '@clew/store';
import { type RawBuilder, sql } from 'kysely';
import { acceptanceRules } from './acceptanceRules.ts';
import { takeInstant } from './instants.ts';

type Action = BulkChange['action'];

/** Findings per transaction, as for the change itself. */
const BATCH = 2_000;
const KEPT = sql`interval '24 hours'`;

/** JSON of the acceptance of a row of `finding`; rows of earlier releases name no evidence. */
export const ACCEPTANCE = sql<unknown>`(jsonb_build_object('until', finding.accepted_until, 'by', finding.accepted_by,
    'reason', finding.accepted_reason, 'through', finding.accepted_through, 'approved', finding.approved_by)
    || case when finding.accepted_evidence is null then '{}'::jsonb else jsonb_build_object('evidence', finding.accepted_evidence) end)`;

/** JSON of the fields of a finding that an action changes, from rows of `finding` with owners in `finding_owner`. */
const STATE: Readonly<Record<Action, RawBuilder<unknown>>> = {
  AcceptFindings: ACCEPTANCE,
  AssignFindings: sql`jsonb_build_object('user', finding_owner.user_id, 'by', finding_owner.assigned_by,
    'at', finding_owner.assigned_at)`,
};
const WITH_OWNERS = sql`finding left join finding_owner on finding_owner.finding_id = finding.id`;

/** Whether an undoing that has begun is going to restore the row of `finding`. */
export const IS_BEING_UNDONE = sql<boolean>`exists (
  select from bulk_change_row changed join bulk_change on bulk_change.id = changed.bulk_change_id
  where changed.finding_id = finding.id and bulk_change.action = 'AcceptFindings' and bulk_change.undone_by is not null
    and bulk_change.undone_at is null and bulk_change.changed_at >= clock_timestamp() - ${KEPT})`;

/**
 * Starts recording a change, and deletes records older than a day. Those of waiting requests stay, because deleting them would lock the
 * requests.
 * @returns its number
 */
export async function beginBulkChange(db: Db, action: Action, user: UserPrincipal): Promise<number> {
  await sql`
    delete from bulk_change where changed_at < clock_timestamp() - ${KEPT} and not exists (
      select from acceptance_request where bulk_change_id = bulk_change.id and state = 'waiting')`.execute(
    db,
  );
  const { id } = await db
    .insertInto('bulk_change')
    .values({ action, user_id: user.userId, user_name: user.name })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @throws ApiError 409 if a user has undone the change, or a part of it */
export async function requireNotUndone(db: Db, change: number): Promise<void> {
  const { undone_by: name = null } =
    (await db.selectFrom('bulk_change').select('undone_by').where('id', '=', change).executeTakeFirst()) ??
    {};
  if (name !== null) throw apiError('continuedChangeUndone', { name });
}

/** Whether further findings can be undone with the change. */
export async function isUndoable(db: Db, change: number): Promise<boolean> {
  const { rows } = await sql`
    select from bulk_change where id = ${change} and undone_by is null and changed_at >= clock_timestamp() - ${KEPT}`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * Runs a part of the change, and records the previous state of its findings.
 * @param transaction the transaction of this part
 * @throws ApiError 409 if the change was undone in the meantime
 */
export async function recordingBefore<Result>(
  transaction: Db,
  {
    change,
    action,
    ids: named,
  }: { readonly change: number; readonly action: Action; readonly ids: readonly number[] },
  write: () => Promise<Result>,
): Promise<Result> {
  await lockChange(transaction, change);
  const ids = action === 'AcceptFindings' ? await withParts(transaction, named) : named;
  const { numAffectedRows: added = 0n } = await sql`
    insert into bulk_change_row (bulk_change_id, finding_id, before, after)
    select ${change}, finding.id, ${STATE[action]}, 'null'::jsonb from ${WITH_OWNERS}
    where finding.id = any (${ids}::integer[])
    on conflict do nothing`.execute(transaction);
  const result = await write();
  await sql`
    update bulk_change_row set after = ${STATE[action]} from ${WITH_OWNERS}
    where bulk_change_id = ${change} and bulk_change_row.finding_id = finding.id and finding.id = any (${ids}::integer[])`.execute(
    transaction,
  );
  const { numAffectedRows: unchanged = 0n } = await sql`
    delete from bulk_change_row
    where bulk_change_id = ${change} and finding_id = any (${ids}::integer[]) and before = after`.execute(
    transaction,
  );
  const changed = Number(added - unchanged);
  await sql`update bulk_change set findings = findings + ${changed} where id = ${change}`.execute(
    transaction,
  );
  return result;
}

/**
 * Locks the change until the transaction ends: undoing waits for its parts.
 * @throws ApiError 409 if a user has undone it, or a part of it
 */
export async function lockChange(transaction: Db, change: number): Promise<void> {
  const own = await lockedChange(transaction, change);
  // An undoing sets the name when it begins, and the time when it ends.
  if (own !== undefined && own.undone_by !== null)
    throw apiError('continuedChangeUndone', { name: own.undone_by });
}

const lockedChange = (transaction: Db, id: number) =>
  transaction
    .selectFrom('bulk_change')
    .select(['undone_at', 'undone_by'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Parts are accepted with, and through, the finding that contains them. */
async function withParts(transaction: Db, ids: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from finding where id = any (${ids}::integer[]) or part_of_id = any (${ids}::integer[])
      or accepted_through = any (${ids}::integer[])`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** @returns its number; null if it changed no finding, and was not undone */
export async function endBulkChange(db: Db, change: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    delete from bulk_change where id = ${change} and undone_by is null
      and not exists (select from bulk_change_row where bulk_change_id = ${change}) returning id`.execute(db);
  return rows.length === 0 ? change : null;
}

/** Whether a finding of the change is as the change left it. */
const restoresFinding = sql<boolean>`exists (
  select from bulk_change_row changed
  join finding on finding.id = changed.finding_id and finding.deleted_at is null
  left join finding_owner on finding_owner.finding_id = finding.id
  where changed.bulk_change_id = bulk_change.id and changed.after =
    case bulk_change.action when 'AcceptFindings' then ${STATE.AcceptFindings} else ${STATE.AssignFindings} end)`;

/** Changes of the last day that the user may undo, newest first. */
export async function bulkChangesFor(db: Db, user: UserPrincipal): Promise<BulkChange[]> {
  const { rows } = await sql<BulkChange>`
    select id, action, user_name as changed_by, changed_at, changed_at + ${KEPT} as until, findings, undone_at,
      case when undone_at is not null then undone_by end as undone_by, user_id is not distinct from ${user.userId} as is_own,
      undone_at is null and (${restoresFinding} or exists (
        select from plan_constraint where bulk_change_id = bulk_change.id)) as can_undo
    from bulk_change
    where changed_at >= clock_timestamp() - ${KEPT} and findings > 0
      and (${user.environments === null}::boolean or user_id = ${user.userId})
    order by id desc`.execute(db);
  return rows;
}

/**
 * The counts of the answer are those of this request; the audit log has those of all requests that undid the change.
 *
 * @param stopAt deadline in milliseconds since the epoch: only the first batch may start later
 * @throws ApiError 404 if it is unknown, older than a day, or made by another user who sees more; 409 if it is already undone
 */
export async function undoBulkChange(
  db: Db,
  actor: Actor,
  {
    id,
    user,
    stopAt,
    takeBack,
    batch = BATCH,
  }: {
    readonly id: number;
    readonly user: UserPrincipal;
    readonly stopAt: number;
    /** Removes the constraints of the plan that came with the change. @returns their number */
    readonly takeBack: (db: Db) => Promise<number>;
    /** Findings per transaction. */
    readonly batch?: number;
  },
): Promise<UndoneRecord> {
  const change = (await bulkChangesFor(db, user)).find((one) => one.id === id);
  if (change === undefined) throw apiError('resourceNotFound');
  if (change.undone_at !== null) throw apiError('changeUndone', { name: change.undone_by ?? '' });
  const constraints_removed = await beginUndoing(db, id, user, takeBack);
  let [restored, kept] = [0, 0];
  for (;;) {
    const done = await db.transaction().execute((transaction) => undoBatch(transaction, change, user, batch));
    restored += done.restored;
    kept += done.taken - done.restored;
    if (done.taken > 0 && Date.now() <= stopAt) continue;
    const remaining = await endUndoing(db, actor, change, user);
    if (remaining === 0 || done.taken > 0) return { restored, kept, constraints_removed, remaining };
  }
}

/**
 * Sets the name before constraints are removed: from then on, no request adds findings or constraints to the change. A user who may not
 * remove them undoes nothing. The first of several requests removes all. @returns the number of removed constraints
 */
function beginUndoing(
  db: Db,
  id: number,
  { name }: UserPrincipal,
  takeBack: (db: Db) => Promise<number>,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // The update waits for the parts of the change that are being written.
    await sql`update bulk_change set undone_by = ${name} where id = ${id} and undone_at is null`.execute(
      transaction,
    );
    return takeBack(transaction);
  });
}

/** @returns the number of findings that are left; the change is undone if it is 0 */
function endUndoing(db: Db, actor: Actor, { id, action }: BulkChange, user: UserPrincipal): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const own = await lockedChange(transaction, id);
    const remaining = await remainingOf(transaction, id);
    if (remaining > 0 || own === undefined || own.undone_at !== null) return remaining;
    const { rows } = await sql<{ findings: number; restored: number; kept: number }>`
      update bulk_change set undone_at = clock_timestamp(), undone_by = ${user.name}
      where id = ${id} returning findings, restored, kept`.execute(transaction);
    const fields = { bulk_change_id: id, change: action, ...rows[0] };
    await recordSuccess(transaction, actor, 'UndoBulkChange', fields);
    return 0;
  });
}

async function remainingOf(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from bulk_change_row where bulk_change_id = ${id}`.execute(db);
  return rows[0].count;
}

/** Findings that changed again, ended, or whose earlier acceptance needs a second approver, stay as they are. */
async function undoBatch(
  transaction: Db,
  { id, action }: Pick<BulkChange, 'id' | 'action'>,
  { environments, name }: UserPrincipal,
  batch: number,
): Promise<{ readonly taken: number; readonly restored: number }> {
  // Taken first, as for changes: until the transaction ends no analysis can publish.
  const instant = action === 'AcceptFindings' ? await takeInstant(transaction) : null;
  const visible = environments === null ? null : [...environments];
  const { rows: taken } = await sql<{ finding_id: number; before: unknown; after: unknown }>`
    delete from bulk_change_row where bulk_change_id = ${id} and finding_id in (
      select finding_id from bulk_change_row where bulk_change_id = ${id} order by finding_id limit ${batch})
    returning finding_id, before, after`.execute(transaction);
  if (taken.length === 0) return { taken: 0, restored: 0 };
  const needsApproval = action === 'AcceptFindings' && (await acceptanceRules(transaction)).second_approver;
  const same = sql`
    select taken.finding_id, taken.before from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb)
      as taken (finding_id integer, before jsonb, after jsonb)
    join finding on finding.id = taken.finding_id and finding.deleted_at is null
    left join finding_owner on finding_owner.finding_id = finding.id
    where ${STATE[action]} = taken.after
      and (${visible}::text[] is null or finding.environment_id = any (${visible}::text[]))
      and ${needsApproval ? isWithoutApproval(instant as string) : sql`true`}
    order by taken.finding_id`;
  const { rows } =
    action === 'AcceptFindings'
      ? await restoreAcceptance(same, instant as string).execute(transaction)
      : await restoreOwners(transaction, same);
  const restored = rows.length;
  if (action === 'AcceptFindings')
    await waitAgain(
      transaction,
      rows.map(({ finding_id }) => finding_id),
    );
  await sql`
    update bulk_change set restored = restored + ${restored}, kept = kept + ${taken.length - restored}, undone_by = ${name}
    where id = ${id}`.execute(transaction);
  return { taken: taken.length, restored };
}

/**
 * Findings of an approval that is not finished wait for a decision again. Another approval may continue it with a change of its own while
 * this one is undone.
 */
async function waitAgain(transaction: Db, ids: readonly number[]): Promise<void> {
  const { rows: requests } = await sql<{ id: number }>`
    select id from acceptance_request where state = 'waiting' and id in (
      select request_id from acceptance_request_finding where finding_id = any (${ids}::integer[]) and is_accepted)
    order by id for update`.execute(transaction);
  for (const { id } of requests) {
    const { numAffectedRows = 0n } = await sql`
      update acceptance_request_finding set is_accepted = null
      where request_id = ${id} and finding_id = any (${ids}::integer[]) and is_accepted`.execute(transaction);
    await sql`
      update acceptance_request set accepted_count = accepted_count - ${Number(numAffectedRows)} where id = ${id}`.execute(
      transaction,
    );
  }
}

/**
 * Undoing may end an acceptance, or restore an approved one that ends no later. Any other acceptance needs a second approver, like each
 * acceptance.
 */
const isWithoutApproval = (instant: string) => sql<boolean>`(
  coalesce((taken.before ->> 'until')::timestamptz <= ${instant}::timestamptz, true)
  or (taken.before ->> 'approved' is not null and finding.status = 'accepted'
    and (taken.before ->> 'until')::timestamptz <= finding.accepted_until))`;

/** An acceptance that expired in the meantime stays ended. */
const restoreAcceptance = (same: RawBuilder<unknown>, instant: string) => sql<{ finding_id: number }>`
  with same as (
    select finding_id, before, coalesce((before ->> 'until')::timestamptz > ${instant}::timestamptz, false) as holds
    from (${same}) one)
  update finding set
    status = case when holds then 'accepted' else 'active' end,
    accepted_until = case when holds then (before ->> 'until')::timestamptz end,
    accepted_by = case when holds then before ->> 'by' end,
    accepted_reason = case when holds then before ->> 'reason' end,
    accepted_through = case when holds then (before ->> 'through')::integer end,
    approved_by = case when holds then before ->> 'approved' end,
    accepted_evidence = case when holds then (before ->> 'evidence')::integer end,
    updated_at = ${instant}::timestamptz, changed_by = 'acceptance'
  from same where finding.id = same.finding_id returning same.finding_id`;

/** A user who was deleted in the meantime owns nothing. */
async function restoreOwners(transaction: Db, same: RawBuilder<unknown>) {
  const { rows } = await sql<{ finding_id: number; before: unknown }>`${same}`.execute(transaction);
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (finding_id integer, before jsonb)`;
  await sql`delete from finding_owner using ${given} where finding_owner.finding_id = given.finding_id`.execute(
    transaction,
  );
  await sql`
    insert into finding_owner (finding_id, user_id, assigned_by, assigned_at)
    select given.finding_id, owner.id, given.before ->> 'by', (given.before ->> 'at')::timestamptz
    from ${given} join user_account owner on owner.id = (given.before ->> 'user')::uuid
    order by given.finding_id`.execute(transaction);
  return { rows };
}
