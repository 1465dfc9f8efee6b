/** Requests that continue a change of many findings. Rule: `docs/findings.md#many-at-once`. */
import { apiError, type UserPrincipal } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { AcceptanceTerms } from './acceptance.ts';
import { ACCEPTANCE, beginBulkChange, isUndoable, requireNotUndone } from './bulkChanges.ts';

const ACTION = 'AcceptFindings';

interface Continuing {
  /** Number of the earlier change; undefined begins a change. */
  readonly continues: number | undefined;
  /** The findings that the request selects, ascending. */
  readonly ids: readonly number[];
  /** Filters selected them: findings that the earlier change accepted may not match anymore. */
  readonly isFiltered: boolean;
  readonly terms: Pick<AcceptanceTerms, 'until' | 'reason' | 'evidence'>;
  /** Environments that the user may see; null for all. */
  readonly visible: readonly string[] | null;
}

interface Continued {
  readonly change: number;
  readonly ids: readonly number[];
  /** The findings that are left to change. */
  readonly left: readonly number[];
}

/**
 * Begins a change, or continues an earlier one of the same user, so that one undoing covers both. A change that is older than a day is not
 * continued, because its record may be deleted. A request with other terms begins a change of all its findings.
 * @throws ApiError 404 if the earlier change is of another user, or of owners, 409 if a user has undone it
 */
export async function continuedChange(
  db: Db,
  user: UserPrincipal,
  { continues, ids, isFiltered, terms, visible }: Continuing,
): Promise<Continued> {
  const begun = async (all: readonly number[]): Promise<Continued> => ({
    ...{ change: await beginBulkChange(db, ACTION, user), ids: all, left: all },
  });
  if (continues === undefined) return begun(ids);
  const earlier = await db
    .selectFrom('bulk_change')
    .select(['action', 'user_id'])
    .where('id', '=', continues)
    .executeTakeFirst();
  if (earlier === undefined) return begun(ids);
  if (earlier.user_id !== user.userId || earlier.action !== ACTION) throw apiError('resourceNotFound');
  await requireNotUndone(db, continues);
  if (!(await isUndoable(db, continues))) return begun(ids);
  const others = await withOtherTerms(db, continues, terms, visible);
  if (others.length === 0) return { change: continues, ids, left: await notYetChanged(db, continues, ids) };
  return begun(isFiltered ? [...new Set([...ids, ...others])].sort((a, b) => a - b) : ids);
}

/** Parts that the change accepted only through another finding are left, because the request may name them. */
async function notYetChanged(db: Db, change: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ finding_id: number }>`
    select finding_id from bulk_change_row join finding on finding.id = finding_id
    where bulk_change_id = ${change} and accepted_through is null`.execute(db);
  const changed = new Set(rows.map(({ finding_id }) => finding_id));
  return ids.filter((id) => !changed.has(id));
}

/** @returns the findings that still have the terms that the change gave them, if those differ */
async function withOtherTerms(
  db: Db,
  change: number,
  { until, reason, evidence }: Continuing['terms'],
  visible: readonly string[] | null,
): Promise<number[]> {
  const { rows } = await sql<{ finding_id: number }>`
    select finding_id from bulk_change_row join finding on finding.id = finding_id
    where bulk_change_id = ${change} and deleted_at is null and accepted_through is null and ${ACCEPTANCE} = after
      and (${visible}::text[] is null or environment_id = any (${visible}::text[]))
      and ((accepted_until, accepted_reason) is distinct from (${until}::timestamptz, nullif(${reason}, ''))
        or ${evidence?.id ?? null}::integer is not null and accepted_evidence is distinct from ${evidence?.id ?? null}::integer)`.execute(
    db,
  );
  return rows.map(({ finding_id }) => finding_id);
}
