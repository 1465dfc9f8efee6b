/** The thread that plans, as requests see it: started when it is first asked, ended when no one has asked for a while. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Generation, toMessage } from '@clew/generation';
import { newCancel, requestCancel } from '@clew/graph';
import { PlanError } from './planError.ts';
import type {
  FromPlanThread,
  PlanTaskInput,
  PlanTaskName,
  PlanTaskResult,
  PlanThreadOptions,
  ToPlanThread,
} from './planMessages.ts';

/** Then the memory of its graph's properties is given back. */
const IDLE_MS = 10 * 60_000;
const END_MS = 2_000;
/** Generation 0 is that of an empty store. */
const NOTHING_SENT = -1;

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export class Planner {
  readonly #options: PlanThreadOptions;
  readonly #pending = new Map<number, Pending>();
  /** Answers about one generation, by question. */
  readonly #kept = new Map<string, Promise<unknown>>();
  #generation = 0;
  #worker: Worker | undefined;
  #sent = NOTHING_SENT;
  #nextId = 1;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: PlanThreadOptions) {
    this.#options = options;
  }

  /**
   * The same question about a generation is worked out once, whoever asks and goes.
   * @throws the reason of the signal, PlanError, what the work throws
   */
  async keep<Name extends PlanTaskName>(
    generation: Generation,
    task: Name,
    input: PlanTaskInput<Name>,
    signal: AbortSignal,
  ): Promise<PlanTaskResult<Name>> {
    if (this.#generation !== generation.id) this.#kept.clear();
    this.#generation = generation.id;
    const key = `${task} ${JSON.stringify(input)}`;
    let answer = this.#kept.get(key) as Promise<PlanTaskResult<Name>> | undefined;
    if (answer === undefined) {
      answer = this.#run(generation, task, input, new AbortController().signal);
      this.#kept.set(key, answer);
      answer.catch(() => this.#kept.delete(key));
    }
    return orAborted(answer, signal);
  }

  /** @param signal ends the work @throws as `keep` */
  run<Name extends PlanTaskName>(
    generation: Generation,
    task: Name,
    input: PlanTaskInput<Name>,
    signal: AbortSignal,
  ): Promise<PlanTaskResult<Name>> {
    return orAborted(this.#run(generation, task, input, signal), signal);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#fail(new Error('the service is stopping'));
    if (worker === undefined) return;
    const ended = once(worker, 'exit');
    worker.postMessage({ type: 'end' } satisfies ToPlanThread);
    const late = setTimeout(() => void worker.terminate(), END_MS);
    await ended.catch(() => {});
    clearTimeout(late);
  }

  #run<Name extends PlanTaskName>(
    generation: Generation,
    task: Name,
    input: PlanTaskInput<Name>,
    signal: AbortSignal,
  ): Promise<PlanTaskResult<Name>> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    const id = this.#nextId++;
    const cancel = newCancel();
    signal.addEventListener('abort', () => requestCancel(cancel), { once: true });
    const { promise, resolve, reject } = Promise.withResolvers<PlanTaskResult<Name>>();
    this.#pending.set(id, { resolve: resolve as Pending['resolve'], reject });
    const isNew = this.#sent !== generation.id;
    this.#sent = generation.id;
    worker.postMessage({
      ...{ type: 'run', id, task, input, cancel },
      ...(isNew && { message: toMessage(generation) }),
    } satisfies ToPlanThread);
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./planThread.ts', import.meta.url), {
      name: 'clew-plan',
      workerData: this.#options,
    });
    worker.unref();
    this.#sent = NOTHING_SENT;
    worker.on('message', (message: FromPlanThread) => {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if ('error' in message) pending?.reject(errorOf(message.error));
      else pending?.resolve(message.result as never);
      if (this.#pending.size === 0) this.#rest();
    });
    const fail = (error: unknown): void => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#fail(error);
    };
    worker.once('error', fail);
    worker.once('exit', () => {
      if (this.#worker === worker) fail(new Error('the thread that plans has ended'));
    });
    this.#worker = worker;
    return worker;
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  #rest(): void {
    this.#idle = setTimeout(() => void this.close(), IDLE_MS);
    this.#idle.unref();
  }
}

/** Errors lose their class on the way between threads. */
function errorOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  if (name === 'PlanError') return new PlanError(message);
  const error = new Error(message);
  error.name = name;
  return error;
}

function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  work.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}
