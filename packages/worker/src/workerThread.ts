/** The interface between the parent and the worker thread: the source of generations, and a way to stop the thread. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type EarlyGenerationSource, fromMessage, GenerationHolder } from '@clew/generation';
import type { DatabaseLog } from '@clew/store';
import type { FromThread, ThreadOptions, ToThread } from './threadMessages.ts';

export type { ThreadOptions } from './threadMessages.ts';

export interface WorkerThread {
  readonly generations: EarlyGenerationSource;
  /** The newest published generation is loaded, or none exists yet. */
  readonly ready: Promise<void>;
  /** The reason why ingest or analysis cannot work now, if any. */
  readonly obstacle: string | undefined;
  /** Ends the thread like `stop`, until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  /** Asks the thread to stop its work, and ends it if it has not stopped after `STOP_MS`. */
  stop(): Promise<void>;
}

/**
 * Objects of a file exist for one batch. In a large young generation they are collected early; in the default size they would be moved
 * first.
 */
const YOUNG_GENERATION_MB = 96;
/** Long computations do not read messages. Their state is in the database, and the work is started again. */
const STOP_MS = 3000;
/** Pause before a thread that died is restarted. */
const RESTART_PAUSE_MS = 1000;

/** @param options if `tasks` is false, the thread only follows the publications of other processes */
export function startWorkerThread(options: ThreadOptions, log: DatabaseLog): WorkerThread {
  const generations = new GenerationHolder();
  const ready = Promise.withResolvers<void>();
  let stopping = false;
  let isPaused = false;
  /** Started once, however often it is requested. */
  let end: Promise<void> | undefined;
  let obstacle: string | undefined;
  /** Ends the pause before a restart. */
  const stopped = new AbortController();
  let thread: { readonly worker: Worker; readonly ended: Promise<void> } = begin();

  function begin(): typeof thread {
    const started = new Worker(new URL('./thread.ts', import.meta.url), {
      name: 'clew-worker',
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const send = (message: ToThread): void => started.postMessage(message);
    started.on('message', (message: FromThread) => {
      if (message.type === 'ready') return ready.resolve();
      if (message.type === 'obstacle') {
        obstacle = message.obstacle;
        return;
      }
      if (message.type === 'graph')
        return generations.announceGraph(fromMessage(message.generation), message.facts);
      if (message.type === 'coming')
        return generations.announce(fromMessage(message.generation), message.facts);
      const { id } = message.generation;
      void generations.offer(fromMessage(message.generation)).then(() => send({ type: 'received', id }));
    });
    started.on('error', (error) => log.error({ err: error }, 'the worker thread failed'));
    const ended = new Promise<void>((resolve) => started.once('exit', () => resolve()));
    void ended.then(() => restart(started));
    return { worker: started, ended };
  }

  /** The state of the thread's work is in the database, and the work is started again. */
  async function restart(ended: Worker): Promise<void> {
    if (stopping || isPaused) return;
    await sleep(RESTART_PAUSE_MS, undefined, { signal: stopped.signal }).catch(() => {});
    if (!stopping && !isPaused && thread.worker === ended) thread = begin();
  }

  return {
    generations,
    ready: ready.promise,
    get obstacle() {
      return obstacle;
    },
    pause: () => {
      isPaused = true;
      obstacle = undefined;
      return endThread();
    },
    resume: () => {
      if (!isPaused || stopping) return;
      isPaused = false;
      thread = begin();
    },
    stop: () => {
      stopping = true;
      stopped.abort();
      end ??= endThread();
      return end;
    },
  };

  async function endThread(): Promise<void> {
    // A thread that ended by itself and was to be restarted ignores the message, and has already ended.
    thread.worker.postMessage({ type: 'stop' } satisfies ToThread);
    const late = setTimeout(() => void thread.worker.terminate(), STOP_MS);
    await thread.ended;
    clearTimeout(late);
  }
}
