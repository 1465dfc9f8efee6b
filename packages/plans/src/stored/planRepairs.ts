/** Repairs of started plans: owners, due dates and notes. */
import type { AdoptedChange, AdoptedRepair } from '@clew/api';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { StartedPlan } from '../tasks/startedFacts.ts';
import { earliestDue } from './planFindings.ts';

type Assigned = Pick<AdoptedRepair, 'owner' | 'due' | 'due_by' | 'notes' | 'updated'>;

const UNASSIGNED: Assigned = { owner: null, due: null, due_by: null, notes: '', updated: null };

/** Keyed by the number of the repair. */
export type Assignments = ReadonlyMap<number, Assigned>;

/** Assignments of plans, keyed by plan number. A repair without a due date has that of its findings. */
export async function assignmentsOf(
  db: Db,
  plans: readonly number[],
): Promise<ReadonlyMap<number, Assignments>> {
  const rows = await db
    .selectFrom('plan_repair')
    .leftJoin('user_account', 'user_account.id', 'plan_repair.owner_id')
    .select([
      'plan_id',
      'repair',
      'owner_id',
      'principal_name',
      'notes',
      'updated_by',
      'plan_repair.updated_at as at',
    ])
    .select(sql<string | null>`due::text`.as('due'))
    .where(sql<boolean>`plan_id = any (${plans}::bigint[])`)
    .execute();
  const found = new Map<number, Map<number, Assigned>>();
  for (const { plan_id, repair, owner_id, principal_name, due, notes, updated_by, at } of rows) {
    const ofPlan = found.get(plan_id) ?? new Map<number, Assigned>();
    const owner = owner_id === null ? null : { id: owner_id, name: principal_name ?? '' };
    const dueBy = due === null ? null : 'user';
    const updated = { by: updated_by, at };
    found.set(plan_id, ofPlan.set(repair, { owner, due, due_by: dueBy, notes, updated }));
  }
  for (const [plan_id, ofPlan] of await earliestDue(db, plans))
    for (const [repair, due] of ofPlan) {
      const known = found.get(plan_id) ?? new Map<number, Assigned>();
      const given = known.get(repair) ?? UNASSIGNED;
      if (given.due === null) found.set(plan_id, known.set(repair, { ...given, due, due_by: 'findings' }));
    }
  return found;
}

/**
 * @param changes changes of all repairs, in order
 * @param seesKeys false for users with limited environments: a key contains the id of its grouping object
 */
export function repairRecords(
  { packages }: StartedPlan,
  changes: readonly AdoptedChange[],
  assigned: Assignments,
  seesKeys: boolean,
): AdoptedRepair[] {
  let at = 0;
  return packages.map(({ key, title, changes: { length } }, index) => {
    const own = changes.slice(at, at + length);
    at += length;
    const given = assigned.get(index + 1) ?? UNASSIGNED;
    return {
      ...{ number: index + 1, key: seesKeys ? (key ?? null) : null, title },
      changes: own.map(({ number }) => number),
      done_count: own.filter(({ state }) => state === 'done').length,
      ...given,
      overdue: isOverdue(
        given.due,
        own.map(({ state }) => state),
      ),
    };
  });
}

type State = AdoptedChange['state'];

/** A fact that was not seen again proves nothing, but leaves nothing to do. */
export const isToDo = (state: State): boolean => state === 'open' || state === 'undone';

/** @param due a date, `YYYY-MM-DD` @param states of the changes of a repair */
export const isOverdue = (due: string | null, states: readonly State[]): boolean =>
  due !== null && due < new Date().toISOString().slice(0, 10) && states.some(isToDo);
