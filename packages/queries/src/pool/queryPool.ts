/**
 * Runs queries without blocking the event loop: each starts on the event loop with an allowance of one or two milliseconds, which is
 * usually sufficient; otherwise it restarts in a thread, where it can take longer and be canceled. Threads are started on demand.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Cancel, newCancel, requestCancel } from '@clew/graph';
import { BudgetMeter, OverBudget } from '../meter.ts';
import type { QueryData } from '../queryData.ts';
import { GraphTooLarge } from '../relations/relationGraph.ts';
import {
  type EndMessage,
  type ForgetMessage,
  GENERATIONS_KEPT,
  type ResultMessage,
  type RunMessage,
} from './messages.ts';
import { QUERY_TASKS, type QueryTaskArgs, type QueryTaskName, type QueryTaskResult } from './queryTasks.ts';
import { ResultCache } from './resultCache.ts';

export interface QueryPoolOptions {
  /** Default: 2. */
  readonly threads?: number;
  /** Number of edges that a query may visit on the event loop; default: 40,000. */
  readonly inlineUnits?: number;
  /** Default: 64 MiB. */
  readonly cacheBytes?: number;
  /** Called for each query that needs a thread, such as by one that records traces. @returns called at its end */
  readonly observe?: (task: string) => (hasFailed: boolean) => void;
}

/** Time for a thread to end before it is terminated. */
const END_TIMEOUT_MS = 2_000;

interface Pending {
  readonly cancel: Cancel;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  /** Generations sent to it, newest last. */
  generations: number[];
}

export class QueryPool {
  readonly #threadCount: number;
  readonly #inlineUnits: number;
  readonly #cache: ResultCache;
  readonly #observe: QueryPoolOptions['observe'];
  readonly #threads: Thread[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(options: QueryPoolOptions = {}) {
    this.#threadCount = options.threads ?? 2;
    this.#inlineUnits = options.inlineUnits ?? 40_000;
    this.#cache = new ResultCache(options.cacheBytes ?? 64 * 1024 * 1024);
    this.#observe = options.observe;
  }

  /** Number of queries waiting for a thread or running in one. */
  get pendingCount(): number {
    return this.#threads.reduce((count, { pending }) => count + pending.size, 0);
  }

  /**
   * @param signal ends the query in any thread
   * @throws the error of the query, or the abort reason
   */
  async run<Name extends QueryTaskName>(
    data: QueryData,
    task: Name,
    args: QueryTaskArgs<Name>,
    signal: AbortSignal,
  ): Promise<QueryTaskResult<Name>> {
    signal.throwIfAborted();
    const key = isAboutColumns(args) ? undefined : `${data.generation} ${task} ${JSON.stringify(args)}`;
    const known = key === undefined ? undefined : this.#cache.get(key);
    if (known !== undefined) return known as QueryTaskResult<Name>;
    try {
      const query = QUERY_TASKS[task] as (...all: unknown[]) => QueryTaskResult<Name>;
      return query(data, args, new BudgetMeter(this.#inlineUnits));
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
    }
    const result = (await this.#runInThread(data, task, args, signal)) as QueryTaskResult<Name>;
    if (key !== undefined && result instanceof Uint32Array) this.#cache.set(key, result);
    return result;
  }

  /**
   * Releases the memory of other generations. Waiting queries still use the generation with which they started, and later queries of
   * requests that keep one send it again.
   */
  keepOnly(generation: number): void {
    this.#cache.keepOnly(`${generation} `);
    for (const thread of this.#threads) {
      thread.generations = thread.generations.filter((known) => known === generation);
      thread.worker.postMessage({ keep: generation } satisfies ForgetMessage);
    }
  }

  /** Ends all threads; running queries are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map(endThread));
  }

  #runInThread(data: QueryData, task: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    const thread = this.#leastBusyThread();
    const cancel: Cancel = newCancel();
    const id = this.#nextId++;
    const message: RunMessage = { id, task, args, generation: data.generation, cancel };
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onAbort = (): void => {
      requestCancel(cancel);
      thread.pending.delete(id);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    thread.pending.set(id, { cancel, resolve, reject });
    const ended = this.#observe?.(task);
    promise.then(
      () => ended?.(false),
      () => ended?.(true),
    );
    thread.worker.postMessage(this.#isSent(thread, data) ? message : { ...message, data });
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  /** Records the generations of the thread after this message. */
  #isSent(thread: Thread, { generation }: QueryData): boolean {
    if (thread.generations.includes(generation)) return true;
    thread.generations = [...thread.generations, generation].slice(-GENERATIONS_KEPT);
    return false;
  }

  #leastBusyThread(): Thread {
    if (this.#isClosed) throw new Error('the query pool is closed');
    const idle = this.#threads.find(({ pending }) => pending.size === 0);
    if (idle !== undefined) return idle;
    if (this.#threads.length < this.#threadCount) return this.#startThread();
    return this.#threads.reduce((least, thread) =>
      thread.pending.size < least.pending.size ? thread : least,
    );
  }

  #startThread(): Thread {
    const worker = new Worker(new URL('./queryThread.ts', import.meta.url), { name: 'clew-query' });
    const thread: Thread = { worker, pending: new Map(), generations: [] };
    const fail = (error: Error): void => {
      this.#threads.splice(this.#threads.indexOf(thread), 1);
      for (const { reject } of thread.pending.values()) reject(error);
      thread.pending.clear();
    };
    worker.unref();
    worker.on('message', (message: ResultMessage) => {
      const pending = thread.pending.get(message.id);
      thread.pending.delete(message.id);
      if ('error' in message) pending?.reject(errorOf(message.error));
      else pending?.resolve(message.result);
    });
    worker.once('error', fail);
    worker.once('exit', () => {
      if (this.#threads.includes(thread)) fail(new Error('a query thread ended'));
    });
    this.#threads.push(thread);
    return thread;
  }
}

/** Lets a thread end on its own, and terminates it after a timeout. */
async function endThread({ worker, pending }: Thread): Promise<void> {
  for (const { cancel } of pending.values()) requestCancel(cancel);
  const ended = once(worker, 'exit').catch(() => {});
  worker.postMessage({ end: true } satisfies EndMessage);
  const patience = new AbortController();
  const isLate = sleep(END_TIMEOUT_MS, true, { signal: patience.signal }).catch(() => false);
  if (await Promise.race([ended.then(() => false), isLate])) await worker.terminate();
  patience.abort();
}

/** Errors lose their class between threads. */
function errorOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  if (name === 'GraphTooLarge') return new GraphTooLarge();
  const error = new Error(message);
  error.name = name;
  return error;
}

/** Whether arguments contain columns of a whole graph: converting them to text takes longer than any answer. */
function isAboutColumns(args: object): boolean {
  return Object.values(args).some(
    (value: unknown) =>
      ArrayBuffer.isView(value) || (typeof value === 'object' && value !== null && isAboutColumns(value)),
  );
}
