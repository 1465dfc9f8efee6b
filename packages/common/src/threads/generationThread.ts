/**
 * The interface of requests to a thread that answers questions about generations. The thread starts with the first question, and ends after
 * a time without questions. The first question about a generation sends the generation, whose columns are shared memory.
 *
 * Questions wait here, and the thread has one at a time:
 *
 *     waiting ── its turn ──> in the thread ── answer, error ──> settled
 *       └── signal ──> settled   └── signal: canceled ── answer, or no answer within CANCEL_MS ──> settled
 *
 * A thread that does not answer a canceled question in time is terminated; the next question starts another one. So no question blocks
 * later ones.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Generation, type GenerationMessage, toMessage } from '@clew/generation';
import { type Cancel, newCancel, requestCancel } from '@clew/graph';
import type { TraceContext } from '../tracing/traceContext.ts';
import { type FinishedSpan, passOn, type Span, startChild } from '../tracing/tracing.ts';

/** After this time without a question, the thread ends and its memory is released. */
const IDLE_MS = 10 * 60_000;
/** After this pause, the thread frees the memory of past questions, and keeps only data for the next one. */
const REST_MS = 3_000;
const END_MS = 2_000;
/** A thread checks for cancellation many times per second, unless a single step blocks it. */
const CANCEL_MS = 2_000;
/** Generation 0 belongs to an empty store. */
const NOTHING_SENT = -1;

export type ToGenerationThread =
  | {
      readonly type: 'run';
      readonly id: number;
      readonly task: string;
      readonly input: unknown;
      /** Sent with the first task of a generation. */
      readonly message?: GenerationMessage;
      readonly cancel: Cancel;
      /** Parent of the spans in the thread; absent if they are not recorded. */
      readonly trace?: TraceContext;
    }
  /** The thread may free the generation; the next question sends one. The message has an answer. */
  | { readonly type: 'forget'; readonly id: number }
  /** The thread is idle. */
  | { readonly type: 'rest' }
  | { readonly type: 'end' };

/** Errors lose their class between threads. */
export interface ThreadFailure {
  readonly name: string;
  readonly message: string;
  readonly kind?: string;
  /** Error code of the system or the database, which determines whether a retry may succeed. */
  readonly code?: string;
  readonly syscall?: string;
  readonly cause?: ThreadFailure;
}

export type FromGenerationThread =
  /** Spans of the last question. */
  | { readonly spans: readonly FinishedSpan[] }
  /** Progress of a task before its result. */
  | { readonly id: number; readonly progress: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: ThreadFailure };

export interface GenerationThreadOptions {
  readonly name: string;
  readonly script: URL;
  readonly workerData: unknown;
  /** Memory limit for its values; the columns of graphs are not included. Default: unlimited. */
  readonly memoryBytes?: number;
  /** Restores the error. */
  readonly errorOf: (failure: ThreadFailure) => Error;
}

/** The task of a question; absent for a question that makes the thread forget its generation. */
interface Task {
  readonly generation: Generation;
  readonly task: string;
  readonly input: unknown;
}

interface Question {
  readonly id: number;
  readonly task: Task | undefined;
  readonly cancel: Cancel;
  readonly signal: AbortSignal;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: unknown) => void) | undefined;
  /** Lasts until the answer, including the wait for a turn. */
  readonly span: Span;
}

/** The thread has ended, usually because its memory was exhausted; the next question starts another. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
  constructor(thread: string) {
    super(`the thread ${thread} ended`);
  }
}

/** Whether a question exceeded the memory limit of its thread. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof ThreadEnded || (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';

export class GenerationThread {
  readonly #options: GenerationThreadOptions;
  readonly #waiting: Question[] = [];
  #answered: Question | undefined;
  #worker: Worker | undefined;
  #sent = NOTHING_SENT;
  #nextId = 1;
  #rests: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: GenerationThreadOptions) {
    this.#options = options;
  }

  /** The thread was started, and has not ended since. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Id of the generation whose facts the thread may have; `undefined` for none. */
  get generation(): number | undefined {
    return this.#worker === undefined || this.#sent === NOTHING_SENT ? undefined : this.#sent;
  }

  /** Number of questions in the thread or waiting for their turn. */
  get pendingCount(): number {
    return this.#waiting.length + (this.#answered === undefined ? 0 : 1);
  }

  /**
   * @param signal ends the work; the promise settles when the thread is free again, at most CANCEL_MS later
   * @param onProgress called with the progress that the task reports
   * @throws the reason of the signal, or the error of the work
   */
  ask(
    generation: Generation,
    task: string,
    input: unknown,
    signal: AbortSignal,
    onProgress?: (progress: unknown) => void,
  ): Promise<unknown> {
    return this.#enqueue({ generation, task, input }, signal, onProgress);
  }

  /**
   * Frees the kept data of the generation after earlier questions are answered. The thread stays ready for the next
   * question.
   * @throws the error of the thread
   */
  async forget(): Promise<void> {
    if (this.#worker !== undefined) await this.#enqueue(undefined, new AbortController().signal);
  }

  #enqueue(
    task: Task | undefined,
    signal: AbortSignal,
    onProgress?: (progress: unknown) => void,
  ): Promise<unknown> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = this.#nextId++;
    const span = startChild(`thread ${this.#options.name}`, {
      attributes: { 'clew.task': task?.task ?? 'forget' },
    });
    const question = { id, task, cancel: newCancel(), signal, resolve, reject, onProgress, span };
    let late: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      const at = this.#waiting.indexOf(question);
      if (at >= 0) {
        this.#waiting.splice(at, 1);
        reject(signal.reason);
        return;
      }
      requestCancel(question.cancel);
      late = setTimeout(() => this.#replace(question, signal.reason), CANCEL_MS);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(question);
    this.#next();
    promise.then(
      () => span.end(),
      () => span.end({}, true),
    );
    return promise.finally(() => {
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
    });
  }

  async close(): Promise<void> {
    this.#wakeUp();
    const worker = this.#worker;
    this.#worker = undefined;
    const stopping = new Error('the service is stopping');
    for (const { reject } of this.#waiting.splice(0)) reject(stopping);
    this.#answered?.reject(stopping);
    this.#answered = undefined;
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
      if ('spans' in message) return passOn(message.spans);
      const question = this.#answered;
      // Messages of an earlier question are ignored.
      if (question?.id !== message.id) return;
      if ('progress' in message) {
        question.onProgress?.(message.progress);
        return;
      }
      this.#answered = undefined;
      if (question.signal.aborted) question.reject(question.signal.reason);
      else if ('error' in message) question.reject(this.#options.errorOf(message.error));
      else question.resolve(message.result);
      this.#next();
    });
    const fail = (error: unknown): void => {
      if (this.#worker === worker) this.#lose(error);
    };
    worker.once('error', fail);
    worker.once('exit', () => fail(new ThreadEnded(name)));
    this.#worker = worker;
    return worker;
  }

  #next(): void {
    if (this.#answered !== undefined) return;
    const question = this.#waiting.shift();
    if (question === undefined) {
      this.#rest();
      return;
    }
    this.#wakeUp();
    this.#answered = question;
    const worker = this.#worker ?? this.#start();
    const { id, task: asked, cancel, span } = question;
    if (asked === undefined) {
      this.#sent = NOTHING_SENT;
      worker.postMessage({ type: 'forget', id } satisfies ToGenerationThread);
      return;
    }
    const { generation, task, input } = asked;
    const isNew = this.#sent !== generation.id;
    this.#sent = generation.id;
    worker.postMessage({
      ...{ type: 'run', id, task, input, cancel },
      ...(isNew && { message: toMessage(generation) }),
      ...(span.isRecorded && { trace: span.context }),
    } satisfies ToGenerationThread);
  }

  #replace(question: Question, reason: unknown): void {
    if (this.#answered !== question) return;
    const worker = this.#worker;
    this.#lose(reason);
    void worker?.terminate();
  }

  /** Ends the thread and its current question. */
  #lose(error: unknown): void {
    this.#worker = undefined;
    this.#answered?.reject(error);
    this.#answered = undefined;
    this.#next();
  }

  #rest(): void {
    this.#wakeUp();
    const rest = { type: 'rest' } satisfies ToGenerationThread;
    this.#rests = setTimeout(() => this.#worker?.postMessage(rest), REST_MS);
    this.#rests.unref();
    this.#idle = setTimeout(() => void this.close(), IDLE_MS);
    this.#idle.unref();
  }

  #wakeUp(): void {
    clearTimeout(this.#rests);
    clearTimeout(this.#idle);
  }
}

/** @throws the reason of the signal when it aborts, even if the work continues */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  work.then(resolve, reject);
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

interface Coded extends Error {
  readonly kind?: string;
  readonly code?: string;
  readonly syscall?: string;
}

export function failureOf({ name, message, kind, code, syscall, cause }: Coded): ThreadFailure {
  return {
    ...{ name, message },
    ...(kind !== undefined && { kind }),
    ...(typeof code === 'string' && { code }),
    ...(typeof syscall === 'string' && { syscall }),
    ...(cause instanceof Error && { cause: failureOf(cause) }),
  };
}

export function plainError({ name, message, code, syscall, cause }: ThreadFailure): Error {
  const error = new Error(message, cause && { cause: plainError(cause) });
  error.name = name;
  return Object.assign(error, {
    ...(code !== undefined && { code }),
    ...(syscall !== undefined && { syscall }),
  });
}
