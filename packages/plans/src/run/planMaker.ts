/**
 * Makes the plan of each zone after a generation is published, in a separate thread, and checks the progress of started plans. Results are
 * stored in the database, so that they survive the process and serve other processes.
 *
 *   published, constraints changed, or once a minute -> find missing plans -> one process takes the lock -> zone by zone -> stored
 *   newer generation published -> the plan stops, and its first cards are used until newer ones exist -> from the start
 */

import { TaskLoop, traced } from '@clew/common';
import type { EarlyGenerationSource, Prepare } from '@clew/generation';
import { traceOfJobs } from '@clew/intake';
import { notePlannedFindings } from '@clew/judgment';
import { DEFAULT_GOAL } from '@clew/model';
import {
  AdvisoryLock,
  type Database,
  type DatabaseLog,
  type Db,
  Listener,
  ServerClient,
  TIER_ZERO,
  WAKE_CHANNEL,
} from '@clew/store';
import { followStartedPlans, hasUnfollowed } from '../stored/followedPlans.ts';
import {
  activeConstraints,
  basisOf,
  beginPlan,
  completePlan,
  failPlan,
  keepPlan,
  noteDraft,
  notePlan,
  type PlanKey,
  type PlanOutcome,
  plannedZones,
  planRow,
  stopPlan,
} from '../stored/storedPlans.ts';
import { constraintFacts, type StoredConstraint } from '../tasks/constraints.ts';
import { PlanError } from '../tasks/planError.ts';
import type { StoredPlan } from '../tasks/storedPlan.ts';
import type { ZonePlanRequest } from '../tasks/zonePlan.ts';
import type { PlanTaskProgress } from '../threads/planMessages.ts';
import type { Planner } from '../threads/planner.ts';
import type { PlanThreads } from '../threads/threadTable.ts';

/** Delay that combines generations published in rapid succession into one plan. */
const PLAN_DELAY_MS = 300;
/** Poll interval, in case another process died while planning or a notification was lost. */
const LOOK_AGAIN_MS = 60_000;
/** Poll interval while another process is planning. */
const BUSY_MS = 5_000;
const PROGRESS_MS = 500;
/** Maximum number of consecutive plans stopped by a newer generation. The next plan is not stopped. */
const MAX_STOPPED = 3;
/** The cause is in the log. */
const FAULT = 'The plan could not be created; it will be retried';
const TOO_LARGE =
  'The whole plan needs more memory than a planning thread is allowed: raise CLEW_PLAN_MEMORY and restart';

export interface PlanMakerOptions {
  readonly database: Database;
  readonly generations: EarlyGenerationSource;
  readonly threads: PlanThreads;
  readonly log: DatabaseLog;
  /** Called after started plans are compared with a generation. */
  onFollowed?(): void;
}

interface MakingOptions extends PlanMakerOptions {
  /** Plans that exceeded the memory; they are retried after a restart, which may have more memory. */
  readonly tooLarge: Set<string>;
  /** Number of stopped plans since the last complete one, by zone. */
  readonly stopped: Map<number, number>;
}

export interface RunningPlanMaker {
  stop(): Promise<void>;
}

export function startPlanMaker(given: PlanMakerOptions): RunningPlanMaker {
  const options: MakingOptions = { ...given, tooLarge: new Set(), stopped: new Map() };
  const { database, generations, threads, log } = options;
  let later: NodeJS.Timeout | undefined;
  const loop: TaskLoop = new TaskLoop(
    {
      name: 'plan',
      delayMs: PLAN_DELAY_MS,
      run: async (signal) => {
        const isBusyElsewhere = await makePlans(options, signal);
        clearTimeout(later);
        later = setTimeout(() => loop.wake(), isBusyElsewhere ? BUSY_MS : LOOK_AGAIN_MS);
        later.unref();
      },
    },
    log,
  );
  const endSwaps = generations.onSwap(() => loop.wake());
  // Publishing does not wait for this.
  const prepare: Prepare = async (generation, facts) => {
    // Runs synchronously, because the generation may be published or announced again before the query returns.
    if (generation.id > generations.current().id) threads.know(generation, facts);
    const plan = await comingPlan(options);
    if (generation.id > generations.current().id) threads.prepare(generation, plan);
  };
  const endPreparations = [generations.beforeFindings(prepare), generations.beforeSwap(prepare)];
  const listener = new Listener({
    connection: database.connection,
    channels: [WAKE_CHANNEL],
    log,
    onConnected: () => loop.wake(),
    onNotification: (_, payload) => {
      if (payload === 'plan') loop.wake();
    },
  });
  return {
    stop: async () => {
      endSwaps();
      for (const end of endPreparations) end();
      clearTimeout(later);
      await Promise.all([listener.stop(), loop.stop()]);
      clearTimeout(later);
      await threads.endNext();
    },
  };
}

/** @returns the next expected plan request for a generation, unless a constraint or a zone changes before it */
async function comingPlan({ database: { db } }: MakingOptions): Promise<ZonePlanRequest | undefined> {
  const [zone] = await plannedZones(db);
  return zone === undefined ? undefined : requestOf(db, zone, await activeConstraints(db));
}

/** @returns the request of the plan for all users */
async function requestOf(
  db: Db,
  zone: number,
  constraints: readonly StoredConstraint[],
): Promise<ZonePlanRequest> {
  const before = await completePlan(db, zone);
  return {
    ...{ zone, goal: DEFAULT_GOAL, environments: [], within: [], ownedBy: null, costs: {} },
    constraints: constraints.map(constraintFacts),
    namesFindings: zone === TIER_ZERO,
    tellsDrafts: true,
    previous: (before?.plan.cards ?? []).map(({ packages }) => packages.map((one) => one.key)),
  };
}

/** @returns whether another process is making plans */
async function makePlans(options: MakingOptions, signal: AbortSignal): Promise<boolean> {
  const { database, generations, threads, log } = options;
  const generation = generations.current();
  if (generation.id === 0) return false;
  if (!(await isAnythingDue(options))) {
    await threads.forget(generation);
    return false;
  }
  const client = new ServerClient(database.connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      AdvisoryLock.plans,
    ]);
    if (rows[0]?.locked !== true) {
      await threads.forget(generation);
      return true;
    }
    const trace = await traceOfJobs(client, { generation: generation.id });
    await traced('plan', trace, () =>
      threads.plan(generation, async (planner) => {
        for (const zone of await plannedZones(database.db))
          if (!(await makeZonePlan(options, planner, zone, signal))) return false;
        const { id } = generations.current();
        const onFailure = (plan: number, error: unknown): void =>
          log.error({ err: error, plan, generation: id }, 'a started plan could not be compared');
        await followStartedPlans({ db: database.db, planner, signal, onFailure }, generations.current());
        options.onFollowed?.();
        return generations.current().id === generation.id;
      }),
    );
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function isAnythingDue(options: MakingOptions): Promise<boolean> {
  const { database, generations, threads } = options;
  const { db } = database;
  const generation = generations.current();
  const basis = basisOf(threads.options.costs, await activeConstraints(db));
  for (const zone of await plannedZones(db))
    if (!(await isMade(options, { zone, generation: generation.id, basis }))) return true;
  return hasUnfollowed(db, generation.id);
}

async function isMade({ database, tooLarge }: MakingOptions, key: PlanKey): Promise<boolean> {
  const row = await planRow(database.db, key.zone, key.generation, key.basis);
  if (row?.state !== 'failed') return row?.state === 'complete';
  if (row.fault === TOO_LARGE) return tooLarge.has(nameOf(key));
  // If the analysis lacks a zone, a retry in the same generation fails too.
  return row.fault !== FAULT;
}

/** @returns false if a newer generation was published in the meantime: the loop wakes up for it */
async function makeZonePlan(
  options: MakingOptions,
  planner: Planner,
  zone: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { log, generations } = options;
  const { db } = options.database;
  signal.throwIfAborted();
  const generation = generations.current();
  const constraints = await activeConstraints(db);
  const basis = basisOf(options.threads.options.costs, constraints);
  if (await isMade(options, { zone, generation: generation.id, basis })) return true;
  const key = { zone, generation: generation.id, basis };
  const request = await requestOf(db, zone, constraints);
  await beginPlan(db, key, generation);
  const stoppedBefore = options.stopped.get(zone) ?? 0;
  const newer = new AbortController();
  const endSwaps = generations.onSwap(() => {
    if (stoppedBefore < MAX_STOPPED) newer.abort();
  });
  const began = performance.now();
  const noteCards = throttled(PROGRESS_MS, (done: { cards: number; exposed: number }) =>
    notePlan(db, key, done).catch(() => {}),
  );
  let drafts: Promise<void> = Promise.resolve();
  const note = ({ draft, cards, exposed }: PlanTaskProgress): void => {
    noteCards({ cards, exposed });
    // Stored in sequence, because later drafts are more complete.
    if (draft !== undefined)
      drafts = drafts
        .then(() => noteDraft(db, key, draft))
        .then(() => logDraft(draft))
        .catch(() => {});
  };
  const logDraft = ({ cards, end }: StoredPlan): void => {
    const ms = Math.round(performance.now() - began);
    const told = { zone, generation: generation.id, cards: cards.length, end: end.reason, ms };
    log.info(told, 'created the first cards of a plan');
  };
  const make = (asked: ZonePlanRequest): Promise<StoredPlan> =>
    planner.run(generation, 'zonePlan', asked, AbortSignal.any([signal, newer.signal]), note);
  try {
    const { closes, ...plan } = await make(request);
    await drafts;
    const answers = request.constraints.filter(({ subject }) => subject === 'unneeded');
    const unconstrained = { ...request, constraints: answers, namesFindings: false, tellsDrafts: false };
    const without = answers.length === constraints.length ? undefined : outcomeOf(await make(unconstrained));
    await keepPlan(db, key, { plan, ...(without !== undefined && { without }) });
    options.stopped.delete(zone);
    if (closes !== undefined) await notePlannedFindings(db, closes);
    const found = Object.entries(plan.contradictions ?? {}).filter(([, count]) => count > 0);
    if (found.length > 0)
      log.error(
        { zone, generation: generation.id, contradictions: Object.fromEntries(found) },
        'a plan contradicts itself',
      );
    const ms = Math.round(performance.now() - began);
    log.info({ zone, generation: generation.id, cards: plan.cards.length, ms }, 'created a plan');
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    await drafts;
    if (newer.signal.aborted) {
      options.stopped.set(zone, stoppedBefore + 1);
      await stopPlan(db, key);
      const ms = Math.round(performance.now() - began);
      log.info({ zone, generation: generation.id, ms }, 'stopped a plan for a newer generation');
      return false;
    }
    const fault = lastingFault(error as Error);
    await failPlan(db, key, fault ?? FAULT);
    if (fault === TOO_LARGE) options.tooLarge.add(nameOf(key));
    if (fault === undefined) throw error;
    log.error({ zone, generation: generation.id, fault }, 'a plan could not be created');
    return true;
  } finally {
    endSwaps();
  }
}

const nameOf = ({ zone, generation, basis }: PlanKey): string => `${zone} ${generation} ${basis}`;

/** @returns undefined for an error that a retry may fix */
function lastingFault(error: Error & { readonly code?: string }): string | undefined {
  if (error instanceof PlanError) return error.message;
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_LARGE : undefined;
}

export function outcomeOf({ cards, before }: StoredPlan): PlanOutcome {
  return {
    exposed_count:
      cards.at(-1)?.exposed_after ?? before.reduce((sum, { exposed_count }) => sum + exposed_count, 0),
    cost: cards.reduce((sum, { cost }) => sum + cost, 0),
    card_count: cards.length,
  };
}

/** Limits calls to one per interval; the last call may be skipped. */
function throttled<Input>(ms: number, call: (input: Input) => void): (input: Input) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (input) => {
    const now = performance.now();
    if (now - last < ms) return;
    last = now;
    call(input);
  };
}
