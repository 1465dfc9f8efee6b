/**
 * The worker ingests upload jobs, builds generations, and does the housekeeping. Any number of workers may share a
 * database. A worker without tasks only follows the generations that others publish.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TaskLoop } from '@clew/common';
import { enabledFeatures, updatedAuthorities } from '@clew/explore';
import type { Generation } from '@clew/generation';
import { carryOutDeletions, drainIngest, type IngestLimits, noteObstacle } from '@clew/intake';
import {
  type ConnectionConfig,
  type Database,
  type DatabaseLog,
  GENERATION_CHANNEL,
  Listener,
  surroundingsFault,
  WAKE_CHANNEL,
} from '@clew/store';
import type pg from 'pg';
import { type Analysis, type AnalysisConfig, createAnalysis } from './generations/analysis.ts';
import { buildGeneration } from './generations/buildGeneration.ts';
import { BuildMemory } from './generations/buildMemory.ts';
import { isByOtherRulesOrZones } from './generations/due.ts';
import { loadPublished } from './generations/loadPublished.ts';
import type { BuildContext } from './generations/step.ts';
import { type HouseLimits, keepHouse } from './keepHouse.ts';

export interface WorkerOptions {
  readonly database: Database;
  /** A standby of the database, to load published generations from. */
  readonly replica?: ConnectionConfig;
  /** False: only follow published generations. */
  readonly tasks: boolean;
  readonly analysis: AnalysisConfig;
  readonly limits: IngestLimits;
  readonly aging: HouseLimits;
  /** Called with the reason why ingest or analysis cannot work, and with `undefined` when they can again. */
  readonly onObstacle?: (obstacle: string | undefined) => void;
  /** Announces a generation without findings to the threads that plan; the build may still fail. */
  readonly announceGraph?: BuildContext['announceGraph'];
  /** Announces a generation that is being published to the threads that answer requests; publishing may still fail. */
  readonly announce?: BuildContext['announce'];
  /** Passes a generation to the threads that answer requests; resolves when they have it. */
  readonly handOver: (generation: Generation) => Promise<void>;
  readonly log: DatabaseLog;
}

export interface RunningWorker {
  /** The newest published generation has been handed over, or none exists yet. */
  readonly ready: Promise<void>;
  /** It neither ingests nor builds nor loads. */
  readonly isIdle: boolean;
  /** Releases the current work; the next worker starts it again. */
  stop(): Promise<void>;
}

const HOUSEKEEPING_MS = 60_000;
/** Merges in quick succession result in one generation. */
const BUILD_DELAY_MS = 100;

export function startWorker(options: WorkerOptions): RunningWorker {
  const { database, log } = options;
  /** The newest known generation. */
  let known: Generation | undefined;
  const isNewer = (id: number): boolean => id > (known?.id ?? 0);
  const handOver = async (generation: Generation): Promise<void> => {
    if (!isNewer(generation.id)) return;
    known = generation;
    await options.handOver(generation);
  };
  const follow = new TaskLoop(
    {
      name: 'follow',
      delayMs: 0,
      run: async (signal) => {
        const generation = await loadPublished(options, known?.id ?? 0, signal);
        if (generation !== undefined) await handOver(generation);
        followed.resolve();
      },
    },
    log,
  );
  const followed = Promise.withResolvers<void>();
  const { ingest, build } = taskLoops(options, {
    previous: () => known,
    announceGraph: options.announceGraph,
    announce: options.announce,
    handOver,
    memory: new BuildMemory(),
  });
  const listener = new Listener({
    connection: database.connection,
    channels: [WAKE_CHANNEL, GENERATION_CHANNEL],
    log,
    onConnected: () => {
      follow.wake();
      if (options.tasks) void followed.promise.then(() => [ingest.wake(), build.wake()]);
    },
    onNotification: (channel, payload) => {
      if (channel === GENERATION_CHANNEL && isNewer(Number(payload))) follow.wake();
      if (channel !== WAKE_CHANNEL || !options.tasks) return;
      if (payload === 'ingest') ingest.wake();
      if (payload === 'build') build.wake();
    },
  });
  const housekeeping = options.tasks
    ? startHousekeeping(options, () => [ingest.wake(), build.wake()])
    : undefined;
  return {
    ready: followed.promise,
    get isIdle() {
      return ingest.isIdle && build.isIdle && follow.isIdle;
    },
    stop: async () => {
      await Promise.all([listener.stop(), housekeeping?.stop(), ingest.stop(), build.stop(), follow.stop()]);
    },
  };
}

function taskLoops(
  { database, limits, log, analysis, onObstacle }: WorkerOptions,
  generations: Pick<BuildContext, 'previous' | 'announceGraph' | 'announce' | 'handOver' | 'memory'>,
): { readonly ingest: TaskLoop; readonly build: TaskLoop } {
  const obstacles = new Map<string, string>();
  const note = (task: 'ingest' | 'analysis', obstacle: string | undefined): void => {
    const isOver = obstacle === undefined && obstacles.delete(task);
    if (obstacle !== undefined) obstacles.set(task, `${task} waits: ${obstacle}`);
    onObstacle?.([...obstacles.values()].join('; ') || undefined);
    // Jobs also report it, if the database still accepts writes.
    if (isOver || obstacle !== undefined) void noteObstacle(database.db, task, obstacle).catch(() => {});
  };
  const analysisOfNow = async () =>
    createAnalysis({
      ...{ features: await enabledFeatures(database.db), ...analysis },
      updatedAuthorities: await updatedAuthorities(database.db),
    });
  const buildNow = async (signal: AbortSignal, chosen: Analysis): Promise<void> => {
    await buildGeneration({ database, analysis: chosen, ...generations, log, signal });
  };
  /** Results of changed rules and zones on the present facts are published before new facts, so that the causes can be distinguished. */
  const judgeAgain = async (signal: AbortSignal): Promise<void> => {
    const chosen = await analysisOfNow();
    if (!(await isByOtherRulesOrZones(database.db, chosen.recipe))) return;
    log.info(
      {},
      'the rules or zones differ from those of the latest analysis: it is repeated before any upload is ingested',
    );
    try {
      await buildNow(signal, chosen);
    } catch (error) {
      if (signal.aborted || surroundingsFault(error) !== undefined) throw error;
      log.error({ err: error }, 'the analysis with other rules or zones failed; ingest continues');
    }
  };
  const ingest = new TaskLoop(
    {
      name: 'ingest',
      delayMs: 0,
      onObstacle: (obstacle) => note('ingest', obstacle),
      run: async (signal) => {
        await judgeAgain(signal);
        const betweenJobs = (client: pg.ClientBase) => carryOutDeletions(client, log);
        return drainIngest({ database, limits, betweenJobs, log, signal });
      },
    },
    log,
  );
  const build = new TaskLoop(
    {
      name: 'build',
      delayMs: BUILD_DELAY_MS,
      onObstacle: (obstacle) => note('analysis', obstacle),
      run: async (signal) => {
        await buildNow(signal, await analysisOfNow());
      },
    },
    log,
  );
  return { ingest, build };
}

function startHousekeeping(options: WorkerOptions, wakeTasks: () => void): { stop(): Promise<void> } {
  const abort = new AbortController();
  const { signal } = abort;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await keepHouse(options.database, options.aging).catch((error) => {
        if (!signal.aborted)
          options.log.warn({ err: error }, 'housekeeping failed; it will be retried later');
      });
      // In case a notification was lost.
      wakeTasks();
      await sleep(HOUSEKEEPING_MS, undefined, { signal }).catch(() => {});
    }
  };
  const running = loop();
  return {
    stop: async () => {
      abort.abort();
      await running;
    },
  };
}
