/**
 * Inbox rows about started plans. Each page requests the number of rows, so the database reads the plans directly, without
 * building records with exposure and the state of every change.
 */
import type { AdoptedChange } from '@clew/api';
import type { Generation } from '@clew/generation';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { earliestDue } from '../stored/planFindings.ts';
import { isOverdue } from '../stored/planRepairs.ts';
import { seesPlan } from '../stored/savedPlans.ts';
import { MAX_STARTED } from '../stored/startedPlans.ts';
import type { Sight } from '../tasks/sight.ts';
import type { InboxRows, InboxScope } from './inboxFindings.ts';
import { judged, type OpenItem } from './judged.ts';

export interface PlanRows {
  /** Changes that an analysis found done or undone. */
  readonly verified: InboxRows;
  /** Repairs assigned to the user. */
  readonly repairs: InboxRows;
}

export async function planRows(
  db: Db,
  generation: Generation,
  sight: Sight | undefined,
  scope: InboxScope,
): Promise<PlanRows> {
  const plans = await seenPlans(db, generation, sight);
  const [verified, repairs] =
    plans.length === 0
      ? [[], []]
      : [await verifiedChanges(db, plans, scope.from), await ownRepairs(db, plans, scope.user)];
  return {
    verified: await judged(db, scope, verified.sort(byTime), true),
    repairs: await judged(db, scope, repairs.sort(byDue), false),
  };
}

const byTime = (a: OpenItem, b: OpenItem): number => ((a.at ?? '') < (b.at ?? '') ? 1 : -1);
const byDue = (a: OpenItem, b: OpenItem): number =>
  (a.due ?? '9').localeCompare(b.due ?? '9') || byTime(a, b);

/** Numbers of the newest started plans that the user may see. */
async function seenPlans(db: Db, generation: Generation, sight: Sight | undefined): Promise<number[]> {
  const started = db.selectFrom('saved_plan').where('adopted_at', 'is not', null).orderBy('id', 'desc');
  if (sight === undefined)
    return (await started.select('id').limit(MAX_STARTED).execute()).map(({ id }) => id);
  // Visibility depends on objects, so the changes of each plan are read.
  const rows = await started.select(['id', 'request', 'environments']).execute();
  return rows
    .filter((row) => seesPlan(row, generation, sight))
    .slice(0, MAX_STARTED)
    .map(({ id }) => id);
}

/** @param from publication times are compared as texts: all have the same length */
async function verifiedChanges(db: Db, plans: readonly number[], from: string): Promise<OpenItem[]> {
  const { rows } = await sql<{
    id: number;
    name: string;
    number: number;
    title: string;
    state: 'done' | 'undone';
    at: string;
    generation: number;
  }>`
    select plan.id, plan.name, change.number::integer, change.value ->> 'title' as title,
      entry ->> 'state' as state, entry ->> 'at' as at, (entry ->> 'generation')::integer as generation
    from saved_plan plan,
      json_array_elements(plan.progress -> 'changes') with ordinality as change (value, number),
      json_array_elements(change.value -> 'history') as entry
    where plan.id = any (${plans}::integer[]) and entry ->> 'state' in ('done', 'undone')
      and (entry ->> 'at') collate "C" > ${from}
    order by plan.id desc, change.number`.execute(db);
  return rows.map(({ id, name, number, title, state, at, generation }) => ({
    key: `${state === 'done' ? 'verified' : 'undone'}:${id}:${number}:${generation}`,
    kind: state === 'done' ? 'verified' : 'undone',
    // The mark names the user who reported the change; collections do not show its author.
    ...{ at, by: null, text: title, plan: { id, name } },
  }));
}

/** Repairs that are not done yet. The changes of a repair follow those of earlier repairs. */
async function ownRepairs(db: Db, plans: readonly number[], user: string): Promise<OpenItem[]> {
  const { rows } = await sql<{
    id: number;
    name: string;
    repair: number;
    title: string;
    due: string | null;
    length: number;
    states: AdoptedChange['state'][];
    by: string;
    at: string;
  }>`
    select plan.id, plan.name, own.repair, own.title, own.due::text as due, own.updated_by as by,
      own.updated_at as at, own.length,
      array(
        select value ->> 'state' from json_array_elements(plan.progress -> 'changes') with ordinality as change (value, place)
        where place > own.first and place <= own.first + own.length order by place) as states
    from saved_plan plan
    join lateral (
      select plan_repair.*, package.value ->> 'title' as title, package.first, package.length
      from plan_repair
      join lateral (
        select value, place, json_array_length(value -> 'changes') as length,
          sum(json_array_length(value -> 'changes')) over (order by place) - json_array_length(value -> 'changes') as first
        from json_array_elements(plan.adoption -> 'packages') with ordinality as packages (value, place)
      ) package on package.place = plan_repair.repair
      where plan_repair.plan_id = plan.id and plan_repair.owner_id = ${user}::uuid
    ) own on true
    where plan.id = any (${plans}::integer[])
    order by plan.id desc, own.repair`.execute(db);
  // A plan has no progress until the next analysis.
  const open = rows.map(({ states, length, ...row }) => ({
    ...row,
    states: states.length === 0 ? Array.from({ length }, () => 'open' as const) : states,
  }));
  const unfinished = open.filter(({ states }) => states.some((state) => state !== 'done'));
  const earliest = await earliestDue(db, [...new Set(unfinished.map(({ id }) => id))]);
  return unfinished.map(({ id, name, repair, title, states, by, at, ...row }) => {
    const due = row.due ?? earliest.get(id)?.get(repair) ?? null;
    return {
      ...{ key: `repair:${id}:${repair}`, kind: 'repair', by, at, text: title },
      ...{ plan: { id, name }, repair, due, overdue: isOverdue(due, states) },
    };
  });
}
