/**
 * Sends questions to one of the planning threads: interactive questions, whole plans with other options, or the plans of each
 * generation.
 */

import { type GenerationThread, orAborted } from '@clew/common';
import type { Generation } from '@clew/generation';
import type { PlanTaskInput, PlanTaskName, PlanTaskProgress, PlanTaskResult } from './planMessages.ts';

export type AskThread = GenerationThread['ask'];

export interface KeptProgress {
  readonly startedAt: Date;
  done: PlanTaskProgress | undefined;
}

const keyOf = (task: string, input: unknown): string => `${task} ${JSON.stringify(input)}`;

export class Planner {
  readonly #askThread: AskThread;
  /** Answers about one generation, keyed by question. */
  readonly #kept = new Map<string, Promise<unknown>>();
  readonly #progress = new Map<string, KeptProgress>();
  #generation = 0;

  /** @param ask sends a task to the thread for its role */
  constructor(ask: AskThread) {
    this.#askThread = ask;
  }

  /**
   * Memo: the same question about a generation is computed once, no matter how many users ask or stop waiting.
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

  /** The progress of a memoized question. */
  progressOf<Name extends PlanTaskName>(task: Name, input: PlanTaskInput<Name>): KeptProgress | undefined {
    return this.#progress.get(keyOf(task, input));
  }

  /** @param signal cancels the work @param onProgress receives the progress @throws the errors of `keep` */
  run<Name extends PlanTaskName>(
    generation: Generation,
    task: Name,
    input: PlanTaskInput<Name>,
    signal: AbortSignal,
    onProgress?: (progress: PlanTaskProgress) => void,
  ): Promise<PlanTaskResult<Name>> {
    return orAborted(this.#ask(generation, task, input, signal, onProgress), signal);
  }

  async #ask<Name extends PlanTaskName>(
    generation: Generation,
    task: Name,
    input: PlanTaskInput<Name>,
    signal: AbortSignal,
    onProgress?: (progress: PlanTaskProgress) => void,
  ): Promise<PlanTaskResult<Name>> {
    const tell = onProgress as ((progress: unknown) => void) | undefined;
    return (await this.#askThread(generation, task, input, signal, tell)) as PlanTaskResult<Name>;
  }
}
