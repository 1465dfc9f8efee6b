/** Started plans: database rows and records. */

import type { AdoptedChange, AdoptionRecord, PlanRecord } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findNode, NO_NODE } from '@clew/graph';
import { shareOf } from '@clew/model';
import type { Db, SavedPlanTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { typicalText } from '../tasks/cardTexts.ts';
import { NOT_SHOWN, notShown, type Sight, wholeEnvironments } from '../tasks/sight.ts';
import type { ChangeFacts, StartedPlan } from '../tasks/startedFacts.ts';
import {
  type FollowedPlan,
  type FoundChange,
  type FoundEntry,
  isOfSessions,
  objectsOfChange,
} from '../tasks/startedPlan.ts';
import type { Planner } from '../threads/planner.ts';
import { type MarkedSessions, markedSessions, waitText } from './markedSessions.ts';
import { type Assignments, assignmentsOf, repairRecords } from './planRepairs.ts';

/** A change that someone reported as done before a collection shows it. */
export interface Mark {
  /** Number of the change. */
  readonly change: number;
  readonly by: string;
  readonly at: string;
  readonly note: string;
}

export interface StoredProgress extends FollowedPlan {
  readonly generation: number;
  readonly published_at: string;
  /** A later generation that the plan was not compared with, and the environments missing from it. */
  readonly passed_over?: { readonly generation: number; readonly lacks: readonly string[] };
}

/** Whether a started plan has not been compared with the generation yet. */
export async function hasUnfollowed(db: Db, generation: number): Promise<boolean> {
  const row = await unfollowed(db, generation).select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

const unfollowed = (db: Db, generation: number) =>
  db
    .selectFrom('saved_plan')
    .where('adopted_at', 'is not', null)
    .where((where) =>
      where.or([
        where('progress', 'is', null),
        where(
          sql<number>`coalesce(progress->'passed_over'->>'generation', progress->>'generation')::integer`,
          '<',
          generation,
        ),
      ]),
    );

/** Compares each started plan with the generation. */
export async function followStartedPlans(
  db: Db,
  planner: Planner,
  generation: Generation,
  signal: AbortSignal,
): Promise<void> {
  const rows = await unfollowed(db, generation.id)
    .select(['id', 'adoption', 'progress', 'adopted_at', 'environments'])
    .execute();
  if (rows.length === 0) return;
  const jobs = await jobsShownBy(db, generation.id);
  const keep = async (id: number, progress: StoredProgress): Promise<void> => {
    await db
      .updateTable('saved_plan')
      .set({ progress: JSON.stringify(progress) })
      .where('id', '=', id)
      .execute();
  };
  for (const { id, adoption: stored, progress: last, adopted_at: startedAt, environments } of rows) {
    const plan = stored as StartedPlan;
    const progress = last as StoredProgress | null;
    const lacks = missingEnvironments(generation, plan, environments ?? []);
    if (lacks.length > 0) {
      const before = progress ?? asStarted(plan, startedAt as string);
      await keep(id, { ...before, passed_over: { generation: generation.id, lacks } });
      continue;
    }
    const input = {
      ...{ plan, before: progress?.changes ?? [], reached: progress?.reached ?? [] },
      publishedBefore: progress?.published_at ?? plan.published_at ?? (startedAt as string),
    };
    const found = await planner.run(generation, 'followPlan', input, signal);
    const withJobs = (entry: FoundEntry): FoundEntry =>
      entry.generation === generation.id ? { ...entry, jobs } : entry;
    const changes = found.changes.map(({ history, partial = [], ...change }) => ({
      ...{ ...change, history: history.map(withJobs), partial: partial.map(withJobs) },
    }));
    await keep(id, { generation: generation.id, published_at: generation.publishedAt, ...found, changes });
  }
}

/**
 * Missing objects prove nothing: after collected data is deleted, changes would seem to be done.
 * @param environments environments of the plan's objects; empty if the objects have none
 * @returns names of those environments that the generation lacks
 */
function missingEnvironments(
  { environments: present }: Generation,
  { collected, exposure }: StartedPlan,
  environments: readonly string[],
): string[] {
  const isMissing = (id: string): boolean => {
    const now = present.find((one) => one.id === id);
    return collected === undefined
      ? id !== '' && now === undefined
      : collected.includes(id) && now?.collected !== true;
  };
  return environments
    .filter(isMissing)
    .map((id) => exposure.find(({ environment_id }) => environment_id === id)?.environment_name ?? id);
}

type Jobs = AdoptedChange['history'][number]['jobs'];

/** Uploads whose facts appear first in this generation. */
async function jobsShownBy(db: Db, generation: number): Promise<Jobs> {
  const rows = await db
    .selectFrom('upload_job')
    .leftJoin('user_account', 'user_account.id', 'upload_job.user_id')
    .select(['upload_job.id', 'user_account.principal_name as name'])
    .where('upload_job.generation', '=', generation)
    .orderBy('upload_job.id')
    .limit(MAX_JOBS)
    .execute();
  return rows.map(({ id, name }) => ({ id, by: name }));
}

const MAX_JOBS = 20;
/** Maximum number of marked objects of a plan to look up. */
const MAX_LOOKED_UP = 10_000;

/** Last collection time of objects, keyed by id. */
async function collectedAt(
  db: Db,
  { graph }: Generation,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<number, string>();
  for (const objectId of objectIds) {
    const node = findNode(graph, objectId);
    if (node !== NO_NODE) ids.set(graph.storeIds[node], objectId);
  }
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom('sighting')
    .select(({ fn }) => ['node_id', fn.max('last_collected').as('at')])
    .where(sql<boolean>`node_id = any (${[...ids.keys()]}::integer[])`)
    .groupBy('node_id')
    .execute();
  return new Map(
    rows.flatMap(({ node_id, at }) => (at === null ? [] : [[ids.get(node_id) as string, at] as const])),
  );
}

const COLUMNS = [
  ...(['id', 'name', 'adopted_at', 'adoption', 'progress', 'marks', 'owner_id', 'environments'] as const),
  'request',
] as const;
export type StartedPlanRow = Pick<Selectable<SavedPlanTable>, (typeof COLUMNS)[number]>;

/** Values looked up once for all changes. */
export interface StartedPlanView {
  readonly db: Db;
  readonly generation: Generation;
  /** Objects that the user may see; undefined for all. */
  readonly sight: Sight | undefined;
  /** Days for which scheduled sessions count; 0 for no limit. */
  readonly sessionDays: number;
}

/** Newest first. @param sees whether the user may see a plan */
export async function startedPlanRecords(
  view: StartedPlanView,
  sees: (row: StartedPlanRow) => boolean,
): Promise<AdoptionRecord[]> {
  const rows = await view.db
    .selectFrom('saved_plan')
    .select([...COLUMNS])
    .where('adopted_at', 'is not', null)
    .orderBy('id', 'desc')
    .execute();
  return recordsOf(rows.filter(sees).slice(0, MAX_STARTED), view);
}

/** Maximum number of plans shown. */
export const MAX_STARTED = 100;

export async function startedPlanRecord(row: StartedPlanRow, view: StartedPlanView): Promise<AdoptionRecord> {
  const [record] = await recordsOf([row], view);
  return record as AdoptionRecord;
}

/** One query each for assignments and collections of all plans. */
async function recordsOf(
  rows: readonly StartedPlanRow[],
  { db, generation, sight, sessionDays }: StartedPlanView,
): Promise<AdoptionRecord[]> {
  const plans = rows.map((row) => ({ row, marks: marksOf(row) }));
  const ids = plans.flatMap(({ marks }) => marks.objects.flat().slice(0, MAX_LOOKED_UP));
  const collected = await collectedAt(db, generation, ids);
  const marked = plans.flatMap(({ marks }) => marks.facts.filter((_, at) => marks.byChange.has(at + 1)));
  const sessions = await markedSessions(db, generation, marked, sessionDays);
  const assigned = await assignmentsOf(
    db,
    rows.map(({ id }) => id),
  );
  return plans.map(({ row, marks }) =>
    recordOf(row, { marks, collected, sessions, assigned: assigned.get(row.id) ?? new Map(), sight }),
  );
}

interface Marks {
  /** Keyed by the number of the change. */
  readonly byChange: ReadonlyMap<number, Mark>;
  /** Ids of the objects of each marked change. */
  readonly objects: readonly (readonly string[])[];
  /** The facts of each change. */
  readonly facts: readonly ChangeFacts[];
}

function marksOf({ adoption: plan, marks }: StartedPlanRow): Marks {
  const byChange = new Map(((marks ?? []) as readonly Mark[]).map((mark) => [mark.change, mark]));
  const facts = (plan as StartedPlan).packages.flatMap((one) => one.changes);
  return {
    ...{ byChange, facts },
    objects: facts.map((change, at) => (byChange.has(at + 1) ? objectsOfChange(change) : [])),
  };
}

interface LookedUp {
  readonly marks: Marks;
  readonly collected: ReadonlyMap<string, string>;
  readonly sessions: ReadonlyMap<ChangeFacts, MarkedSessions>;
  readonly assigned: Assignments;
  readonly sight: Sight | undefined;
}

function recordOf(
  row: StartedPlanRow,
  { marks, collected, sessions, assigned, sight }: LookedUp,
): AdoptionRecord {
  const plan = row.adoption as StartedPlan;
  const startedAt = row.adopted_at as string;
  const progress = progressOf(row);
  const { forests = [], changes: all, passed_over: passed, ...figures } = progress;
  const changes = all.map((change, at) => {
    const mark = marks.byChange.get(at + 1);
    const collectedAt = lastOfAll(marks.objects[at] ?? [], collected);
    const facts = marks.facts[at];
    const evidence =
      mark &&
      markRecord(mark, {
        ...{ state: change.state, collectedAt },
        endsSessions: facts !== undefined && isOfSessions(facts),
        sessions: facts && sessions.get(facts),
      });
    return changeRecord(change, at + 1, evidence, sight);
  });
  const whole = sight === undefined ? undefined : wholeEnvironments(forests, sight);
  const ofSight = <Entry extends { readonly environment_id: string }>(entries: readonly Entry[]): Entry[] =>
    entries.filter(({ environment_id }) => whole === undefined || whole.has(environment_id));
  const found = {
    ...{ before: ofSight(figures.before), now: ofSight(figures.now) },
    ...{ effort_before: ofSight(figures.effort_before), effort_now: ofSight(figures.effort_now) },
  };
  const hidden = notShown(figures.before, forests, sight);
  const done = changes.filter(({ state }) => state === 'done').length;
  const repairs = repairRecords(plan, changes, assigned, sight === undefined);
  const overdue = repairs.filter((repair) => repair.overdue).length;
  return {
    ...{ plan_id: row.id, name: row.name, adopted_at: startedAt, asset_group_tag_id: plan.zone },
    ...{ generation: figures.generation, published_at: figures.published_at, changes },
    repairs,
    ...found,
    ...{ package_done_count: figures.package_done_count, package_count: plan.packages.length },
    ...{ done_count: done, change_count: changes.length, not_shown: hidden },
    marked_count: changes.filter(isOnlyMarked).length,
    text: [
      progressText(done, changes, found, hidden.length > 0 || (whole !== undefined && whole.size === 0)),
      ...(overdue > 0 ? [`${overdue} ${overdue === 1 ? 'repair' : 'repairs'} overdue`] : []),
      ...(passed === undefined
        ? []
        : [`not compared with the newest analysis, which lacks ${passed.lacks.join(', ')}`]),
    ].join('; '),
    other: hidden.length > 0 ? '' : otherText({ exposure: ofSight(plan.exposure) }, found),
  };
}

const isOnlyMarked = ({ marked, state }: AdoptedChange): boolean => marked !== null && state !== 'done';

/** Builds the record of a change without the values stored for comparison with the next analysis. */
function changeRecord(
  { done_facts: _, partial: __, history, ...change }: FoundChange,
  number: number,
  marked: AdoptedChange['marked'] | undefined,
  sight: Sight | undefined,
): AdoptedChange {
  const isSeen = ({ object_ids }: { readonly object_ids: readonly string[] }): boolean =>
    sight === undefined || object_ids.every((id) => sight.isVisible(id));
  return {
    ...{ number, ...change },
    marked: marked ?? null,
    history: history.map((entry) => ({
      ...{ state: entry.state, generation: entry.generation, at: entry.at, since: entry.since ?? null },
      moved: (entry.moved ?? []).filter(isSeen).map(({ text }) => text),
      jobs: sight === undefined ? (entry.jobs ?? []) : [],
    })),
  };
}

/** The earliest of the last collection times of these objects; objects that no collector has a file for are ignored. */
function lastOfAll(objectIds: readonly string[], collected: ReadonlyMap<string, string>): string | null {
  const times = objectIds.flatMap((id) => collected.get(id) ?? []);
  return times.reduce<string | null>((first, at) => (first === null || at < first ? at : first), null);
}

interface Evidence {
  readonly state: AdoptedChange['state'];
  readonly collectedAt: string | null;
  /** The change only ends sessions. */
  readonly endsSessions: boolean;
  /** Sessions that a collection still has. */
  readonly sessions: MarkedSessions | undefined;
}

function markRecord(
  { by, at, note }: Mark,
  { state, collectedAt, endsSessions, sessions }: Evidence,
): NonNullable<AdoptedChange['marked']> {
  const isLater = collectedAt !== null && collectedAt > at;
  const record = { by, at, note, waits_for: null };
  if (state === 'done') return { ...record, evidence: 'verified' };
  if (!isLater || state === 'not-seen') return { ...record, evidence: 'waiting' };
  // A collection that does not see a session again proves nothing.
  if (endsSessions && (sessions === undefined || sessions.seenAt <= at))
    return { ...record, evidence: 'waiting', waits_for: sessions === undefined ? null : waitText(sessions) };
  return { ...record, evidence: 'contradicted' };
}

/** Whether an analysis found the change done after its mark, before it came back: then the mark was right. */
export const wasVerified = ({ state, marked, history }: AdoptedChange): boolean =>
  state === 'undone' &&
  marked !== null &&
  history.some((entry) => entry.state === 'undone' && entry.at > marked.at);

/** Until the next analysis, a plan has the state of its start. */
export const progressOf = ({ adoption, adopted_at, progress }: StartedPlanRow): StoredProgress =>
  (progress as StoredProgress | null) ?? asStarted(adoption as StartedPlan, adopted_at as string);

function asStarted(plan: StartedPlan, at: string): StoredProgress {
  const changes = plan.packages.flatMap(({ title, changes: all }) =>
    all.map(
      (change): FoundChange => ({
        ...{ title: change.title, package: title, state: 'open', done_count: 0, history: [] },
        fact_count: Math.max(1, change.removed.length + change.properties.length),
      }),
    ),
  );
  return {
    ...{ generation: plan.generation, published_at: at, changes, package_done_count: 0 },
    ...{ before: plan.exposure, now: plan.exposure },
    ...{ effort_before: [...plan.effort], effort_now: [...plan.effort] },
    ...(plan.forests !== undefined && { forests: plan.forests }),
  };
}

type Exposures = PlanRecord['before'];

const sum = (all: Exposures) => ({
  exposed: all.reduce((total, { exposed_count }) => total + exposed_count, 0),
  principals: all.reduce((total, { principal_count }) => total + principal_count, 0),
});

type Figures = Pick<AdoptionRecord, 'before' | 'now' | 'effort_before' | 'effort_now'>;

/** "2 of 5 done, 100% -> 62%": counts only the effect of the changes. */
function progressText(
  done: number,
  changes: readonly AdoptedChange[],
  found: Figures,
  isHidden: boolean,
): string {
  const [from, to] = [sum(found.before), sum(found.now)];
  const shares = `${shareOf(from.exposed, from.principals)} -> ${shareOf(to.exposed, to.principals)}`;
  const undone = changes.filter(({ state }) => state === 'undone').length;
  const unseen = changes.filter(({ state }) => state === 'not-seen').length;
  const rises = found.effort_before.flatMap((before) => {
    const now = found.effort_now.find(({ environment_id }) => environment_id === before.environment_id);
    const order = (typical: number | null): number => typical ?? Number.POSITIVE_INFINITY;
    if (now === undefined || order(now.typical) <= order(before.typical)) return [];
    return [`${before.environment_name} ${typicalText(before.typical)} -> ${typicalText(now.typical)}`];
  });
  const evidence = (wanted: string): number =>
    changes.filter((change) => isOnlyMarked(change) && change.marked?.evidence === wanted).length;
  const [waiting, contradicted] = [evidence('waiting'), evidence('contradicted')];
  return [
    isHidden ? `${done} of ${changes.length} done` : `${done} of ${changes.length} done, ${shares}`,
    ...(waiting > 0 ? [`${waiting} marked as done, which no collection shows yet`] : []),
    ...(contradicted > 0 ? [`${contradicted} marked as done, but a later collection does not show it`] : []),
    ...(isHidden ? [NOT_SHOWN.replace('Not', 'exposure not')] : []),
    ...(rises.length > 0 ? [`typical attack effort ${rises.join(', ')}`] : []),
    ...(undone > 0 ? [`${undone} undone again`] : []),
    ...(unseen > 0 ? [`${unseen} based on sessions that were not seen again, which is not proof`] : []),
  ].join('; ');
}

/** Describes changes since the start of the plan that are not its own. */
function otherText({ exposure }: Pick<StartedPlan, 'exposure'>, { before }: Figures): string {
  const [from, to] = [sum(exposure), sum(before)];
  if (from.exposed === to.exposed && from.principals === to.principals) return '';
  const shares = `${shareOf(from.exposed, from.principals)} -> ${shareOf(to.exposed, to.principals)}`;
  return `Without these changes exposure would have moved ${shares} since then: by sessions, other changes, or a fuller collection.`;
}
