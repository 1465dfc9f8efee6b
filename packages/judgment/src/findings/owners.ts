/**
 * Owners of findings: the users who work on them. The owner is not part of the analysis, so a new owner does not appear in change feeds.
 *
 * Rule: `docs/findings.md#owners`.
 */
import type { AssignableUser } from '@clew/api';
import { apiError, type UserPrincipal } from '@clew/common';
import { type Assignee, assignableUser } from '@clew/identity';
import { type Db, inTransaction } from '@clew/store';
import { sql } from 'kysely';
import { beginBulkChange, endBulkChange, recordingBefore } from './bulkChanges.ts';
import { type ChosenFindings, chosenFindings } from './chosenFindings.ts';

export interface Assignment {
  /** Id of a user; null clears the owner. */
  readonly owner: string | null;
  readonly chosen: ChosenFindings;
  /** The user who makes the assignment. */
  readonly by: UserPrincipal;
}

export interface Assigned {
  readonly owner: AssignableUser | null;
  readonly ids: readonly number[];
  readonly changed: number;
  /** The number used to undo it; null if nothing changed. */
  readonly change: number | null;
}

/**
 * @param record writes the audit log in the transaction of the change
 * @throws ApiError 400 for a user who may not own findings, 404 and 409 of `chosenFindings`, 409 for a user who may not see all of them
 */
export function assignFindings(
  db: Db,
  { owner: id, chosen, by }: Assignment,
  record: (transaction: Db, assigned: Assigned) => Promise<void>,
): Promise<Assigned> {
  return inTransaction(db, async (transaction) => {
    const owner = id === null ? null : await requireOwner(transaction, id);
    const rows = await chosenFindings(transaction, chosen);
    const seen = owner?.environments;
    if (owner !== null && seen) {
      const hidden = rows.filter(({ environment_id }) => !seen.includes(environment_id)).length;
      if (hidden > 0) throw apiError('ownerCannotSee', { name: owner.name, count: String(hidden) });
    }
    const found = rows.map((row) => row.id);
    const change = await beginBulkChange(transaction, 'AssignFindings', by);
    const part = { change, action: 'AssignFindings', ids: found } as const;
    const changed = await recordingBefore(transaction, part, () =>
      owner === null ? clearOwners(transaction, found) : setOwner(transaction, found, owner.id, by.name),
    );
    const assigned = {
      ...{ owner: owner && { id: owner.id, name: owner.name }, ids: found, changed },
      change: await endBulkChange(transaction, change),
    };
    await record(transaction, assigned);
    return assigned;
  });
}

async function requireOwner(transaction: Db, id: string): Promise<Assignee> {
  const owner = UUID.test(id) ? await assignableUser(transaction, id) : undefined;
  if (owner === undefined) throw apiError('ownerUnknown', { id });
  return owner;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function setOwner(transaction: Db, ids: readonly number[], owner: string, by: string): Promise<number> {
  // Ordered by number, so that concurrent assignments wait for each other instead of deadlocking.
  const { numAffectedRows } = await sql`
    insert into finding_owner (finding_id, user_id, assigned_by)
    select id, ${owner}::uuid, ${by} from unnest(${ids}::integer[]) as id order by id
    on conflict (finding_id) do update
    set user_id = excluded.user_id, assigned_at = excluded.assigned_at, assigned_by = excluded.assigned_by
    where finding_owner.user_id <> excluded.user_id`.execute(transaction);
  return Number(numAffectedRows ?? 0);
}

async function clearOwners(transaction: Db, ids: readonly number[]): Promise<number> {
  // The same order as above, to avoid deadlocks.
  const { numAffectedRows } = await sql`
    with chosen as (
      select finding_id from finding_owner where finding_id = any (${ids}::integer[]) order by finding_id for update)
    delete from finding_owner using chosen where finding_owner.finding_id = chosen.finding_id`.execute(
    transaction,
  );
  return Number(numAffectedRows ?? 0);
}
