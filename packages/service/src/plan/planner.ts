/** The thread that plans, as requests see it. */
import type { Generation } from '@clew/generation';
import { GenerationThread, orAborted, plainError } from '../threads/generationThread.ts';
import { PlanError } from './planError.ts';
import type { PlanTaskInput, PlanTaskName, PlanTaskResult, PlanThreadOptions } from './planMessages.ts';

export class Planner {
  readonly #thread: GenerationThread;
  /** Answers about one generation, by question. */
  readonly #kept = new Map<string, Promise<unknown>>();
  #generation = 0;

  constructor(options: PlanThreadOptions) {
    this.#thread = new GenerationThread({
      name: 'plan',
      script: new URL('./planThread.ts', import.meta.url),
      workerData: options,
      errorOf: (failure) =>
        failure.name === 'PlanError' ? new PlanError(failure.message) : plainError(failure),
    });
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
      answer = this.#ask(generation, task, input, new AbortController().signal);
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
    return orAborted(this.#ask(generation, task, input, signal), signal);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #ask<Name extends PlanTaskName>(
    generation: Generation,
    task: Name,
    input: PlanTaskInput<Name>,
    signal: AbortSignal,
  ): Promise<PlanTaskResult<Name>> {
    return (await this.#thread.ask(generation, task, input, signal)) as PlanTaskResult<Name>;
  }
}
