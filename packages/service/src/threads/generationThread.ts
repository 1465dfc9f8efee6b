/**
 * A thread that answers questions about generations, as requests see it: started when it is first asked, ended when no
 * one has asked for a while. It is sent a generation with the first question about it; the columns are shared memory.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Generation, type GenerationMessage, toMessage } from '@clew/generation';
import { type Cancel, newCancel, requestCancel } from '@clew/graph';

/** Then the memory that it holds is given back. */
const IDLE_MS = 10 * 60_000;
const END_MS = 2_000;
/** Generation 0 is that of an empty store. */
const NOTHING_SENT = -1;

export type ToGenerationThread =
  | {
      readonly type: 'run';
      readonly id: number;
      readonly task: string;
      readonly input: unknown;
      /** With the first task of a generation. */
      readonly message?: GenerationMessage;
      readonly cancel: Cancel;
    }
  | { readonly type: 'end' };

/** Errors lose their class on the way between threads. */
export interface ThreadFailure {
  readonly name: string;
  readonly message: string;
  readonly kind?: string;
}

export type FromGenerationThread =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: ThreadFailure };

export interface GenerationThreadOptions {
  readonly name: string;
  readonly script: URL;
  readonly workerData: unknown;
  /** Of its values; the columns of graphs are beside them. Default: without a bound of its own. */
  readonly memoryBytes?: number;
  /** Makes the error again. */
  readonly errorOf: (failure: ThreadFailure) => Error;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export class GenerationThread {
  readonly #options: GenerationThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #sent = NOTHING_SENT;
  #nextId = 1;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: GenerationThreadOptions) {
    this.#options = options;
  }

  /** Questions that it answers, or that wait for their turn. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /** @param signal ends the work @throws the reason of the signal, what the work throws */
  ask(generation: Generation, task: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    const id = this.#nextId++;
    const cancel = newCancel();
    const onAbort = (): void => requestCancel(cancel);
    signal.addEventListener('abort', onAbort, { once: true });
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { resolve, reject });
    const isNew = this.#sent !== generation.id;
    this.#sent = generation.id;
    worker.postMessage({
      ...{ type: 'run', id, task, input, cancel },
      ...(isNew && { message: toMessage(generation) }),
    } satisfies ToGenerationThread);
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#fail(new Error('the service is stopping'));
    if (worker === undefined) return;
    const ended = once(worker, 'exit');
    worker.postMessage({ type: 'end' } satisfies ToGenerationThread);
    const late = setTimeout(() => void worker.terminate(), END_MS);
    await ended.catch(() => {});
    clearTimeout(late);
  }

  #start(): Worker {
    const { name, script, workerData, memoryBytes } = this.#options;
    const worker = new Worker(script, {
      ...{ name: `clew-${name}`, workerData },
      ...(memoryBytes && { resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / 2 ** 20) } }),
    });
    worker.unref();
    this.#sent = NOTHING_SENT;
    worker.on('message', (message: FromGenerationThread) => {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if ('error' in message) pending?.reject(this.#options.errorOf(message.error));
      else pending?.resolve(message.result);
      if (this.#pending.size === 0) this.#rest();
    });
    const fail = (error: unknown): void => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#fail(error);
    };
    worker.once('error', fail);
    worker.once('exit', () => {
      if (this.#worker === worker) fail(new Error(`the thread ${name} has ended`));
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

/** @throws the reason of the signal as soon as it aborts, whatever the work does */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  work.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

export function failureOf({ name, message, kind }: Error & { readonly kind?: string }): ThreadFailure {
  return { name, message, ...(kind !== undefined && { kind }) };
}

export function plainError({ name, message }: ThreadFailure): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
