/**
 * Compares started plans with each analysis, and stores the result. Missing facts count as changed only if the analysis contains uploads that
 * looked at them, and if only new data can be the reason.
 *
 * Rule: `docs/plan.md#evidence`.
 */
import type { AdoptedChange } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findNode, getOrMake, NO_NODE, objectIdOf } from '@clew/graph';
import { type Db, type SavedPlanTable, surroundingsFault } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import type { StartedPlan } from '../tasks/startedFacts.ts';
import type { FoundEntry } from '../tasks/startedPlan.ts';
import type { Planner } from '../threads/planner.ts';
import { factDates } from './factDates.ts';
import { asStarted, type StoredProgress } from './startedPlans.ts';

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

export interface FollowParts {
  readonly db: Db;
  readonly planner: Planner;
  readonly signal: AbortSignal;
  /** Called for a plan that cannot be compared; the others are. It is compared again the next time. */
  onFailure(plan: number, error: unknown): void;
}

/** Compares each started plan with the generation. @throws the reason of the signal, and errors of the environment */
export async function followStartedPlans(parts: FollowParts, generation: Generation): Promise<void> {
  const { db, signal, onFailure } = parts;
  const rows: readonly UnfollowedRow[] = await unfollowed(db, generation.id).select(COLUMNS).execute();
  const newData = new Map<number, Promise<NewData>>();
  const dataSinceOnce = (earlier: number): Promise<NewData> =>
    getOrMake(newData, earlier, () => dataSince(db, generation, earlier));
  for (const row of rows) {
    try {
      await followOne(parts, generation, row, dataSinceOnce);
    } catch (error) {
      if (signal.aborted || surroundingsFault(error) !== undefined) throw error;
      onFailure(row.id, error);
    }
  }
}

const COLUMNS = ['id', 'adoption', 'progress', 'adopted_at', 'environments'] as const;
type UnfollowedRow = Pick<Selectable<SavedPlanTable>, (typeof COLUMNS)[number]>;

async function followOne(
  { db, planner, signal }: FollowParts,
  generation: Generation,
  { id, adoption: stored, progress: last, adopted_at: startedAt, ...row }: UnfollowedRow,
  newDataSince: (earlier: number) => Promise<NewData>,
): Promise<void> {
  const keep = async (progress: StoredProgress): Promise<void> => {
    await db
      .updateTable('saved_plan')
      .set({ progress: JSON.stringify(progress) })
      .where('id', '=', id)
      .execute();
  };
  const plan = stored as StartedPlan;
  const progress = (last as StoredProgress | null) ?? asStarted(plan, startedAt as string);
  const lacks = missingEnvironments(generation, plan, row.environments ?? []);
  if (lacks.length > 0) return keep({ ...progress, passed_over: { generation: generation.id, lacks } });
  const since = await newDataSince(progress.generation);
  const input = {
    ...{ plan, before: progress.changes, reached: progress.reached ?? [] },
    ...{ publishedBefore: progress.published_at, writesBefore: progress.writes ?? {} },
    ...{ covered: await coveredFacts(db, generation, plan, since) },
  };
  const found = await planner.run(generation, 'followPlan', input, signal);
  const withJobs = (entry: FoundEntry): FoundEntry =>
    entry.generation === generation.id
      ? { ...entry, jobs: since.jobs, ...(since.hasMoreJobs && { has_more_jobs: true }) }
      : entry;
  const changes = found.changes.map(({ history, partial = [], ...change }) => ({
    ...{ ...change, history: history.map(withJobs), partial: partial.map(withJobs) },
  }));
  await keep({ generation: generation.id, published_at: generation.publishedAt, ...found, changes });
}

/**
 * Missing objects prove nothing: after collected data is deleted, changes would seem to be done.
 * @param environments of the plan's objects; empty if the objects have none
 * @returns names of those environments that the generation lacks
 */
function missingEnvironments(
  generation: Generation,
  { collected, exposure }: StartedPlan,
  environments: readonly string[],
): string[] {
  const isMissing = (id: string): boolean => {
    if (id === '') return !hasObjectsWithoutEnvironment(generation);
    const now = generation.environments.find((one) => one.id === id);
    return collected === undefined ? now === undefined : collected.includes(id) && now?.collected !== true;
  };
  const nameOf = (id: string): string =>
    exposure.find(({ environment_id }) => environment_id === id)?.environment_name ??
    (id === '' ? 'all objects without an environment' : id);
  return environments.filter(isMissing).map(nameOf);
}

/** One such object is enough: those of the plan may have been deleted as its repair. */
const hasObjectsWithoutEnvironment = ({ graph }: Generation): boolean =>
  graph.environmentOf.some((environment) => environment >= graph.nodeCount);

type Jobs = AdoptedChange['history'][number]['jobs'];

/** The new data of a generation since an earlier one. */
interface NewData {
  /** The first uploads whose facts are part of it. */
  readonly jobs: Jobs;
  readonly hasMoreJobs: boolean;
  /** Earliest time at which these uploads were complete; null without an upload, and if changed rules may be the reason for changes. */
  readonly from: string | null;
  /** Environments with relationships that were not reported again, by files that do not say what their run collected. */
  readonly doubtful: ReadonlySet<string>;
}

const MAX_JOBS = 20;

async function dataSince(db: Db, { id }: Generation, earlier: number): Promise<NewData> {
  const inside = sql`generation > ${earlier} and generation <= ${id}`;
  const { rows } = await sql<{ id: number; by: string | null; at: string }>`
    select job.id, user_account.principal_name as by, job.last_ingest as at
    from upload_job job left join user_account on user_account.id = job.user_id
    where ${inside} order by job.id`.execute(db);
  const causes = await sql<{ cause: string }>`
    select distinct cause from generation where id > ${earlier} and id <= ${id}`.execute(db);
  const fallen = await sql<{ id: string }>`
    select distinct environment_id as id from relationship_fall
    where not names_methods and job_id = any (${rows.map((row) => row.id)}::bigint[])`.execute(db);
  const isOfData = causes.rows.every(({ cause }) => cause !== 'rules' && cause !== 'several');
  const from = rows.reduce<string | null>(
    (first, { at }) => (first === null || at < first ? at : first),
    null,
  );
  return {
    jobs: rows.slice(0, MAX_JOBS).map((row) => ({ id: row.id, by: row.by })),
    hasMoreJobs: rows.length > MAX_JOBS,
    from: isOfData ? from : null,
    doubtful: new Set(fallen.rows.map((row) => row.id)),
  };
}

/** @returns places of the facts of each change that the new data looked at, or whose object it reports as deleted */
async function coveredFacts(
  db: Db,
  { graph }: Generation,
  { packages }: StartedPlan,
  { from, doubtful }: NewData,
): Promise<number[][]> {
  const changes = packages.flatMap((one) => one.changes);
  const dates = await factDates(db, graph, changes);
  // A collection reported the object as deleted, and none has described it again. A plan contains no objects that were deleted before.
  const isDeleted = (id: string): boolean => dates.deletedAt(id) !== null;
  const isNew = (at: string | null): boolean => from !== null && at !== null && at >= from;
  const isDoubtful = (id: string): boolean => {
    const node = findNode(graph, id);
    const environment = node === NO_NODE ? NO_NODE : graph.environmentOf[node];
    return environment < graph.nodeCount && doubtful.has(objectIdOf(graph, environment));
  };
  return changes.map(({ removed, properties }) => [
    ...removed.flatMap((relation, at) => {
      const { start, end } = relation;
      if (isDeleted(start) || isDeleted(end)) return [at];
      return isNew(dates.newestOf(relation)) && !isDoubtful(start) && !isDoubtful(end) ? [at] : [];
    }),
    ...properties.flatMap(({ object_id }, at) =>
      isDeleted(object_id) || isNew(dates.ofObject(object_id)) ? [removed.length + at] : [],
    ),
  ]);
}
