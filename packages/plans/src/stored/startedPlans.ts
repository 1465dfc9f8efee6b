/** Started plans: database rows and records. */

import { type AdoptedChange, type AdoptionRecord, JOB_STATUS, type PlanRecord } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findNode, NO_NODE } from '@clew/graph';
import { counted, shareOf } from '@clew/model';
import type { Db, SavedPlanTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { typicalText } from '../tasks/cardTexts.ts';
import { NOT_SHOWN, notShown, type Sight, wholeEnvironments } from '../tasks/sight.ts';
import type { ChangeFacts, StartedPlan } from '../tasks/startedFacts.ts';
import { type FollowedPlan, type FoundChange, isOfSessions } from '../tasks/startedPlan.ts';
import { type FactDates, factDates } from './factDates.ts';
import { type MarkedSessions, markedSessions, waitText } from './markedSessions.ts';
import { type Assignments, assignmentsOf, repairRecords } from './planRepairs.ts';
import { countTexts, proofCounts, proofOf, sentenceOf, startOfState } from './proofTexts.ts';

/** A change that someone reported as done before a collection shows it. */
export interface Mark {
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

/** A started plan with its row, and the date of the collection that contradicts each mark, keyed by the number of the change. */
export interface ShownPlan {
  readonly row: StartedPlanRow;
  readonly record: AdoptionRecord;
  readonly contradictedAt: ReadonlyMap<number, string>;
}

/** Newest first. @param sees whether the user may see a plan */
export async function shownPlans(
  view: StartedPlanView,
  sees: (row: StartedPlanRow) => boolean,
): Promise<ShownPlan[]> {
  const rows = await view.db
    .selectFrom('saved_plan')
    .select([...COLUMNS])
    .where('adopted_at', 'is not', null)
    .orderBy('id', 'desc')
    .execute();
  return shownOf(rows.filter(sees).slice(0, MAX_STARTED), view);
}

export async function startedPlanRecords(
  view: StartedPlanView,
  sees: (row: StartedPlanRow) => boolean,
): Promise<AdoptionRecord[]> {
  return (await shownPlans(view, sees)).map(({ record }) => record);
}

/** Plans that do not exist are left out. */
export async function shownPlansById(view: StartedPlanView, ids: readonly number[]): Promise<ShownPlan[]> {
  const rows = await view.db
    .selectFrom('saved_plan')
    .select([...COLUMNS])
    .where('adopted_at', 'is not', null)
    .where(sql<boolean>`id = any (${ids}::integer[])`)
    .orderBy('id')
    .execute();
  return shownOf(rows, view);
}

/** Maximum number of plans shown. */
export const MAX_STARTED = 100;

export async function startedPlanRecord(row: StartedPlanRow, view: StartedPlanView): Promise<AdoptionRecord> {
  const [{ record }] = (await shownOf([row], view)) as [ShownPlan];
  return record;
}

/** One query each for assignments and collections of all plans. */
async function shownOf(
  rows: readonly StartedPlanRow[],
  { db, generation, sight, sessionDays }: StartedPlanView,
): Promise<ShownPlan[]> {
  const plans = rows.map((row) => ({ row, marks: marksOf(row) }));
  const marked = plans.flatMap(({ marks }) => marks.facts.filter((_, at) => marks.byChange.has(at + 1)));
  const dates = await factDates(db, generation.graph, marked);
  const sessions = await markedSessions(db, generation, marked, sessionDays);
  const settled = marked.length === 0 ? undefined : await settledUploads(db);
  const assigned = await assignmentsOf(
    db,
    rows.map(({ id }) => id),
  );
  return plans.map(({ row, marks }) => {
    const isAnalyzed = (at: string): boolean =>
      settled !== undefined && progressOf(row).generation === settled.newest && !settled.unanalyzed.has(at);
    const lookedUp = { marks, dates, generation, sessions, isAnalyzed, sight };
    return shownPlan(row, { ...lookedUp, assigned: assigned.get(row.id) ?? new Map() });
  });
}

/**
 * @param numbers of changes of the plan
 * @returns for each of them, the date of the last collection that shows its present state: of all facts of a change that is done, otherwise of
 *   those that are not changed, if the compared analysis contains it; or of the uploads that showed the state first. Null if neither is known
 */
export async function collectionsOf(
  row: StartedPlanRow,
  numbers: readonly number[],
  { db, generation }: Pick<StartedPlanView, 'db' | 'generation'>,
): Promise<ReadonlyMap<number, string | null>> {
  const { facts: all } = marksOf(row);
  const { changes, generation: compared } = progressOf(row);
  const asked = numbers.flatMap((number) => {
    const [facts, change] = [all[number - 1], changes[number - 1]];
    return facts === undefined || change === undefined ? [] : [{ number, facts, change }];
  });
  if (asked.length === 0) return new Map();
  const dates = await factDates(
    db,
    generation.graph,
    asked.map(({ facts }) => facts),
  );
  const { newest, unanalyzed } = await settledUploads(db);
  const uploads = await uploadDates(
    db,
    asked.map(({ change }) => change),
  );
  return new Map(
    asked.map(({ number, facts, change }) => {
      const at =
        change.state === 'done' ? lastLookAtAll(facts, dates) : lastLook(facts, change, generation, dates);
      // A collection that does not see a session again proves nothing.
      const isKnown = at !== null && compared === newest && !unanalyzed.has(at) && !isOfSessions(facts);
      const [look, first] = [isKnown ? at : null, uploads.get(change) ?? null];
      return [number, (first ?? '') > (look ?? '') ? first : look];
    }),
  );
}

/**
 * @returns for each change that an analysis found done or undone, the earliest time at which the uploads of that analysis were complete. Their
 *   `end_time` is later: the end of the analysis
 */
async function uploadDates(
  db: Db,
  changes: readonly FoundChange[],
): Promise<ReadonlyMap<FoundChange, string>> {
  const jobs = new Map(
    changes.map((change) => {
      const entry = change.history.findLast(({ state }) => state === change.state);
      return [change, (entry?.jobs ?? []).map(({ id }) => id)];
    }),
  );
  const ids = [...new Set([...jobs.values()].flat())];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; at: string }>`
    select id, last_ingest as at from upload_job where id = any (${ids}::bigint[])`.execute(db);
  const ended = new Map(rows.map(({ id, at }) => [id, at]));
  return new Map(
    [...jobs].flatMap(([change, own]) => {
      const times = own.map((id) => ended.get(id));
      // The date of an upload that was deleted is not known.
      if (times.length === 0 || times.includes(undefined)) return [];
      return [[change, (times as string[]).reduce((first, at) => (at < first ? at : first))] as const];
    }),
  );
}

interface SettledUploads {
  /** The newest generation. */
  readonly newest: number | null;
  /** Dates of stored uploads that no generation contains yet. */
  readonly unanalyzed: ReadonlySet<string>;
}

/**
 * A collection is evidence only if the compared analysis contains it. Read after the dates of facts, because an upload may be stored in
 * between. An upload that is not stored yet has no facts: its status changes in the transaction that stores them. Their date is the end of
 * the upload.
 */
async function settledUploads(db: Db): Promise<SettledUploads> {
  const { rows } = await sql<{ newest: number | null; at: string | null }>`
    select newest.id as newest, job.end_time as at
    from (select max(id)::integer as id from generation) newest
    left join upload_job job on job.status = ${sql.lit(JOB_STATUS.analyzing)}`.execute(db);
  return {
    newest: rows[0]?.newest ?? null,
    unanalyzed: new Set(rows.flatMap(({ at }) => (at === null ? [] : [at]))),
  };
}

interface Marks {
  /** Keyed by the number of the change. */
  readonly byChange: ReadonlyMap<number, Mark>;
  /** The facts of each change. */
  readonly facts: readonly ChangeFacts[];
}

function marksOf({ adoption: plan, marks }: StartedPlanRow): Marks {
  const byChange = new Map(((marks ?? []) as readonly Mark[]).map((mark) => [mark.change, mark]));
  return { byChange, facts: (plan as StartedPlan).packages.flatMap((one) => one.changes) };
}

interface LookedUp {
  readonly marks: Marks;
  readonly dates: FactDates;
  readonly generation: Generation;
  /** Whether the plan was compared with the latest analysis, and this contains the upload of that date. */
  isAnalyzed(at: string): boolean;
  readonly sessions: ReadonlyMap<ChangeFacts, MarkedSessions>;
  readonly assigned: Assignments;
  readonly sight: Sight | undefined;
}

function shownPlan(row: StartedPlanRow, lookedUp: LookedUp): ShownPlan {
  const { marks, dates, generation, sessions, isAnalyzed, assigned, sight } = lookedUp;
  const contradictedAt = new Map<number, string>();
  const plan = row.adoption as StartedPlan;
  const startedAt = row.adopted_at as string;
  const progress = progressOf(row);
  const { forests = [], changes: all, passed_over: passed, ...figures } = progress;
  const changes = all.map((change, at) => {
    const mark = marks.byChange.get(at + 1);
    const facts = marks.facts[at];
    const looked =
      mark === undefined || facts === undefined ? null : lastLook(facts, change, generation, dates);
    const collectedAt = looked !== null && isAnalyzed(looked) ? looked : null;
    const evidence =
      mark &&
      markRecord(mark, {
        ...{ state: change.state, collectedAt },
        endsSessions: facts !== undefined && isOfSessions(facts),
        sessions: facts && sessions.get(facts),
      });
    if (evidence?.evidence === 'contradicted' && collectedAt !== null)
      contradictedAt.set(at + 1, collectedAt);
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
  const record: AdoptionRecord = {
    ...{ plan_id: row.id, name: row.name, adopted_at: startedAt, asset_group_tag_id: plan.zone },
    ...{ generation: figures.generation, published_at: figures.published_at, changes },
    repairs,
    ...found,
    ...{ package_done_count: figures.package_done_count, package_count: plan.packages.length },
    ...{ done_count: done, change_count: changes.length, not_shown: hidden },
    marked_count: changes.filter(isOnlyMarked).length,
    text: [
      progressText(done, changes, found, hidden.length > 0 || (whole !== undefined && whole.size === 0)),
      ...(overdue > 0 ? [`${counted(overdue, 'repair')} overdue`] : []),
      ...(passed === undefined
        ? []
        : [`not compared with the latest analysis, which lacks ${passed.lacks.join(', ')}`]),
    ].join('; '),
    other: hidden.length > 0 ? '' : otherText({ exposure: ofSight(plan.exposure), changes }, found),
  };
  return { row, record, contradictedAt };
}

const isOnlyMarked = ({ marked, state }: AdoptedChange): boolean => marked !== null && state !== 'done';

/** Builds the record of a change without the values stored for comparison with the next analysis. */
function changeRecord(
  { done_facts: _, partial = [], other_values = [], lenient_facts: __, history, ...change }: FoundChange,
  number: number,
  marked: AdoptedChange['marked'] | undefined,
  sight: Sight | undefined,
): AdoptedChange {
  const isSeen = ({ object_ids }: { readonly object_ids: readonly string[] }): boolean =>
    sight === undefined || object_ids.every((id) => sight.isVisible(id));
  const shown = {
    ...{ number, ...change },
    marked: marked ?? null,
    history: history.map((entry) => ({
      ...{ state: entry.state, generation: entry.generation, at: entry.at, since: entry.since ?? null },
      moved: (entry.moved ?? []).filter(isSeen).map(({ text }) => text),
      jobs: sight === undefined ? (entry.jobs ?? []) : [],
    })),
  };
  const proof = proofOf(shown);
  const start = startOfState([...history, ...partial], change);
  const others = other_values
    .filter(({ object_id }) => sight === undefined || sight.isVisible(object_id))
    .map(({ text }) => text);
  return { ...shown, proof, text: sentenceOf(proof, shown, { start, sight, others }) };
}

/**
 * A fact that exists may be in any of its sets, so the oldest of their dates counts. The facts of sessions have their own dates; their objects
 * only have to be described.
 * @returns the earliest date at which collections last looked at a fact that is not changed; null if that is not known for each
 */
function lastLook(
  { removed, properties }: ChangeFacts,
  { done_facts = [] }: FoundChange,
  { graph }: Generation,
  dates: FactDates,
): string | null {
  const isDone = new Set(done_facts);
  const kept = [
    ...removed.flatMap((relation, at) => {
      if (isDone.has(at)) return [];
      if (relation.kind !== 'HasSession') return [dates.oldestOf(relation)];
      const isThere = (id: string): boolean => findNode(graph, id) !== NO_NODE;
      return [relation.start, relation.end].filter(isThere).map((id) => dates.ofObject(id));
    }),
    ...properties.flatMap(({ object_id, key }, at) =>
      isDone.has(removed.length + at) ? [] : [dates.ofProperty(object_id, key)],
    ),
  ];
  return earliest(kept);
}

/** @returns null if one of them is null, and without dates */
const earliest = (dates: readonly (string | null)[]): string | null =>
  dates.reduce<string | null>(
    (first, at, index) => (index === 0 || (at ?? '') < (first ?? '') ? at : first),
    null,
  );

/** @returns the earliest date at which collections last looked at each fact of a change that is done; null if that is not known for each */
function lastLookAtAll({ removed, properties }: ChangeFacts, dates: FactDates): string | null {
  const looks = [
    ...removed.map((relation) => dates.newestOf(relation)),
    ...properties.map(({ object_id, key }) => {
      const [read, deleted] = [dates.ofProperty(object_id, key), dates.deletedAt(object_id)];
      return (deleted ?? '') > (read ?? '') ? deleted : read;
    }),
  ];
  return earliest(looks);
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

/** Until the next analysis, a plan has the state of its start. */
export const progressOf = ({ adoption, adopted_at, progress }: StartedPlanRow): StoredProgress =>
  (progress as StoredProgress | null) ?? asStarted(adoption as StartedPlan, adopted_at as string);

/** The result of the analysis in which a plan was started. */
export function asStarted(plan: StartedPlan, at: string): StoredProgress {
  const changes = plan.packages.flatMap(({ title, changes: all }) =>
    all.map(
      (change): FoundChange => ({
        ...{ title: change.title, package: title, state: 'open', done_count: 0, done_facts: [], history: [] },
        fact_count: Math.max(1, change.removed.length + change.properties.length),
      }),
    ),
  );
  return {
    ...{ generation: plan.generation, published_at: plan.published_at ?? at, changes, package_done_count: 0 },
    ...{ before: plan.exposure, now: plan.exposure },
    ...{ effort_before: [...plan.effort], effort_now: [...plan.effort] },
    ...(plan.forests !== undefined && { forests: plan.forests }),
    ...(plan.writes !== undefined && { writes: plan.writes }),
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
  const rises = found.effort_before.flatMap((before) => {
    const now = found.effort_now.find(({ environment_id }) => environment_id === before.environment_id);
    const order = (typical: number | null): number => typical ?? Number.POSITIVE_INFINITY;
    if (now === undefined || order(now.typical) <= order(before.typical)) return [];
    return [`${before.environment_name} ${typicalText(before.typical)} -> ${typicalText(now.typical)}`];
  });
  return [
    isHidden ? `${done} of ${changes.length} done` : `${done} of ${changes.length} done, ${shares}`,
    ...countTexts(proofCounts(changes)),
    ...(isHidden ? [NOT_SHOWN.replace('Not', 'exposure not')] : []),
    ...(rises.length > 0 ? [`typical attack effort ${rises.join(', ')}`] : []),
  ].join('; ');
}

/** Describes changes since the start of the plan that do not belong to it. */
function otherText(
  { exposure, changes }: Pick<StartedPlan, 'exposure'> & { readonly changes: readonly unknown[] },
  { before }: Figures,
): string {
  const [from, to] = [sum(exposure), sum(before)];
  if (from.exposed === to.exposed && from.principals === to.principals) return '';
  const shares = `${shareOf(from.exposed, from.principals)} -> ${shareOf(to.exposed, to.principals)}`;
  const without = changes.length === 1 ? 'this change' : 'these changes';
  return `Without ${without}, exposure would have moved ${shares} since then: because of sessions, other changes, or a more complete collection.`;
}
