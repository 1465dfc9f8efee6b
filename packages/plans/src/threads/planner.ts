/** The thread that plans, as requests see it. */

import { GenerationThread, orAborted, plainError } from '@clew/common';
import type { Generation, GenerationFacts } from '@clew/generation';
import { newCancel } from '@clew/graph';
import { PlanError } from '../tasks/planError.ts';
import {
  COMPLETE,
  type PlanTaskInput,
  type PlanTaskName,
  type PlanTaskProgress,
  type PlanTaskResult,
  type PlanThreadOptions,
  PREPARE,
  type Preparation,
} from './planMessages.ts';

export interface KeptProgress {
  readonly startedAt: Date;
  done: PlanTaskProgress | undefined;
}

const keyOf = (task: string, input: unknown): string => `${task} ${JSON.stringify(input)}`;

export class Planner {
  #thread: GenerationThread;
  /** Answers about one generation, by question. */
  readonly #kept = new Map<string, Promise<unknown>>();
  readonly #progress = new Map<string, KeptProgress>();
  #generation = 0;
  /** Its thread was taken over, and has not been asked since. */
  #isUnused = false;
  #facts: { readonly generation: number; readonly known: GenerationFacts } | undefined;

  /** @param name of the thread: requests of users do not wait for plans that are made for all */
  constructor(options: PlanThreadOptions, name = 'plan') {
    this.#thread = new GenerationThread({
      name,
      script: new URL('./planThread.ts', import.meta.url),
      workerData: options,
      ...(options.memoryBytes !== undefined && { memoryBytes: options.memoryBytes }),
      errorOf: (failure) =>
        failure.name === 'PlanError' ? new PlanError(failure.message) : plainError(failure),
    });
  }

  /**
   * The same question about a generation is computed once, whichever user asks and leaves.
   * @throws the reason of the signal, PlanError, errors of the work
   */
  async keep<Name extends PlanTaskName>(
    generation: Generation,
    task: Name,
    input: PlanTaskInput<Name>,
    signal: AbortSignal,
  ): Promise<PlanTaskResult<Name>> {
    if (this.#generation !== generation.id) {
      this.#kept.clear();
      this.#progress.clear();
    }
    this.#generation = generation.id;
    const key = keyOf(task, input);
    let answer = this.#kept.get(key) as Promise<PlanTaskResult<Name>> | undefined;
    if (answer === undefined) {
      const progress: KeptProgress = { startedAt: new Date(), done: undefined };
      this.#progress.set(key, progress);
      answer = this.#ask(generation, task, input, new AbortController().signal, (done) => {
        progress.done = done;
      });
      this.#kept.set(key, answer);
      answer.catch(() => this.#kept.delete(key));
    }
    return orAborted(answer, signal);
  }

  /** Gathers the facts of a generation that is being published, and begins its plan: its zones are those of the store so far. */
  async prepare(generation: Generation, preparation: Preparation): Promise<void> {
    await this.#thread.ask(generation, PREPARE, preparation, new AbortController().signal);
  }

  /** The first question about the generation uses these facts, and does not read them. @param facts nothing to free them */
  know(generation: number, facts: GenerationFacts | undefined): void {
    this.#facts = facts && { generation, known: facts };
  }

  /** Gives it the generation whose graph alone it has, and keeps its facts. */
  async complete(generation: Generation): Promise<void> {
    const { graph, ...rest } = generation;
    await this.#thread.ask(generation, COMPLETE, rest, new AbortController().signal);
  }

  /** Frees the facts. @throws the error of the thread */
  forget(): Promise<void> {
    return this.#thread.forget();
  }

  /**
   * Goes on with the thread of another planner, which has the facts of a generation and nothing to do.
   * @returns false where this one is at work, or has these facts itself, or the other lost them: the other keeps its thread
   */
  takeOver(other: Planner, generation: Generation): boolean {
    if (this.isBusy || this.holds(generation) || !other.holds(generation)) return false;
    [this.#thread, other.#thread] = [other.#thread, this.#thread];
    this.#isUnused = true;
    // It has older facts, and starts again when it is asked.
    other.close().catch(() => {});
    return true;
  }

  /** Ends the thread that it took over, where no one has asked it since: newer facts are about to be read. */
  async release(): Promise<void> {
    if (this.#isUnused && !this.isBusy) await this.#thread.close();
    this.#isUnused = false;
  }

  /** Whether its thread has the facts of the generation, or reads them. */
  holds(generation: Generation): boolean {
    return this.#thread.generation === generation.id;
  }

  /** It answers a question, or prepares a generation. */
  get isBusy(): boolean {
    return this.#thread.pendingCount > 0;
  }

  /** How far a question is that is kept. */
  progressOf<Name extends PlanTaskName>(task: Name, input: PlanTaskInput<Name>): KeptProgress | undefined {
    return this.#progress.get(keyOf(task, input));
  }

  /** @param signal ends the work @param onProgress receives the progress @throws the errors of `keep` */
  run<Name extends PlanTaskName>(
    generation: Generation,
    task: Name,
    input: PlanTaskInput<Name>,
    signal: AbortSignal,
    onProgress?: (progress: PlanTaskProgress) => void,
  ): Promise<PlanTaskResult<Name>> {
    return orAborted(this.#ask(generation, task, input, signal, onProgress), signal);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #ask<Name extends PlanTaskName>(
    generation: Generation,
    task: Name,
    input: PlanTaskInput<Name>,
    signal: AbortSignal,
    onProgress?: (progress: PlanTaskProgress) => void,
  ): Promise<PlanTaskResult<Name>> {
    this.#isUnused = false;
    // A failure occurs again, and is reported, when the question reads them itself.
    if (this.#facts?.generation === generation.id && !this.holds(generation))
      this.prepare(generation, { facts: this.#facts.known, enough: newCancel() }).catch(() => {});
    const tell = onProgress as ((progress: unknown) => void) | undefined;
    return (await this.#thread.ask(generation, task, input, signal, tell)) as PlanTaskResult<Name>;
  }
}
