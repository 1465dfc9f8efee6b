/**
 * Compares started plans with each analysis, and stores the result. Missing facts count as changed only if the analysis contains uploads that
 * looked at them, and if only new data can be the reason.
 *
 * Rule: `docs/plan.md#evidence`.
 */
import type { AdoptedChange, SimulationRequest } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findNamedNode, findNode, NO_NODE, objectIdOf } from '@clew/graph';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { objectsOf } from '../tasks/sight.ts';
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

/** Compares each started plan with the generation. */
export async function followStartedPlans(
  db: Db,
  planner: Planner,
  generation: Generation,
  signal: AbortSignal,
): Promise<void> {
  const rows = await unfollowed(db, generation.id)
    .select(['id', 'adoption', 'progress', 'adopted_at', 'environments', 'request'])
    .execute();
  const keep = async (id: number, progress: StoredProgress): Promise<void> => {
    await db
      .updateTable('saved_plan')
      .set({ progress: JSON.stringify(progress) })
      .where('id', '=', id)
      .execute();
  };
  for (const { id, adoption: stored, progress: last, adopted_at: startedAt, ...row } of rows) {
    const plan = stored as StartedPlan;
    const progress = (last as StoredProgress | null) ?? asStarted(plan, startedAt as string);
    const lacks = missingEnvironments(generation, plan, {
      environments: row.environments ?? [],
      objects: objectsOf(row.request as SimulationRequest),
    });
    if (lacks.length > 0) {
      await keep(id, { ...progress, passed_over: { generation: generation.id, lacks } });
      continue;
    }
    const since = await dataSince(db, generation, progress.generation);
    const input = {
      ...{ plan, before: progress.changes, reached: progress.reached ?? [] },
      ...{ publishedBefore: progress.published_at, covered: await coveredFacts(db, generation, plan, since) },
    };
    const found = await planner.run(generation, 'followPlan', input, signal);
    const withJobs = (entry: FoundEntry): FoundEntry =>
      entry.generation === generation.id
        ? { ...entry, jobs: since.jobs, ...(since.hasMoreJobs && { has_more_jobs: true }) }
        : entry;
    const changes = found.changes.map(({ history, partial = [], ...change }) => ({
      ...{ ...change, history: history.map(withJobs), partial: partial.map(withJobs) },
    }));
    await keep(id, { generation: generation.id, published_at: generation.publishedAt, ...found, changes });
  }
}

interface PlanScope {
  /** Environments of the plan's objects; empty if the objects have none. */
  readonly environments: readonly string[];
  readonly objects: readonly string[];
}

/**
 * Missing objects prove nothing: after collected data is deleted, changes would seem to be done.
 * @returns names of those environments that the generation lacks
 */
function missingEnvironments(
  generation: Generation,
  { collected, exposure }: StartedPlan,
  { environments, objects }: PlanScope,
): string[] {
  const isMissing = (id: string): boolean => {
    if (id === '') return lacksObjectsWithoutEnvironment(generation, objects);
    const now = generation.environments.find((one) => one.id === id);
    return collected === undefined ? now === undefined : collected.includes(id) && now?.collected !== true;
  };
  const nameOf = (id: string): string =>
    exposure.find(({ environment_id }) => environment_id === id)?.environment_name ??
    (id === '' ? 'all objects without an environment' : id);
  return environments.filter(isMissing).map(nameOf);
}

/** Objects of other environments still exist after the ones without an environment were deleted. */
function lacksObjectsWithoutEnvironment({ graph }: Generation, objects: readonly string[]): boolean {
  const nodes = objects.map((id) => findNamedNode(graph, id));
  return (
    nodes.includes(NO_NODE) &&
    !nodes.some((node) => node !== NO_NODE && graph.environmentOf[node] >= graph.nodeCount)
  );
}

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
  if (from === null) return changes.map(() => []);
  const dates = await factDates(db, changes);
  const isNew = (at: string | null): boolean => at !== null && at >= from;
  const isDoubtful = (id: string): boolean => {
    const node = findNode(graph, id);
    const environment = node === NO_NODE ? NO_NODE : graph.environmentOf[node];
    return environment < graph.nodeCount && doubtful.has(objectIdOf(graph, environment));
  };
  return changes.map(({ removed, properties }) => [
    ...removed.flatMap((relation, at) => {
      const { start, end } = relation;
      if (isNew(dates.deletedAt(start)) || isNew(dates.deletedAt(end))) return [at];
      return isNew(dates.ofRelation(relation)) && !isDoubtful(start) && !isDoubtful(end) ? [at] : [];
    }),
    ...properties.flatMap(({ object_id }, at) =>
      isNew(dates.deletedAt(object_id)) || isNew(dates.ofObject(object_id)) ? [removed.length + at] : [],
    ),
  ]);
}
