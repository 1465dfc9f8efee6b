/** A step of building a generation, and the input of steps. */
import type { Generation, GenerationFacts } from '@clew/generation';
import type { Database, DatabaseLog } from '@clew/store';
import type pg from 'pg';
import type { Analysis } from './analysis.ts';
import type { BuildMemory } from './buildMemory.ts';

export interface BuildContext {
  readonly database: Database;
  readonly analysis: Analysis;
  /** The newest known generation; absent before the first. */
  readonly previous: () => Generation | undefined;
  /** Memory of earlier builds of the same worker. */
  readonly memory: BuildMemory;
  /** Announces a generation without findings to the threads that plan; the build may still fail. */
  readonly announceGraph?: (generation: Generation, facts: GenerationFacts) => void;
  /**
   * Announces a generation that is being published to the threads that answer requests; publishing may still fail.
   * @param facts absent if they were announced with the graph
   */
  readonly announce?: (generation: Generation, facts: GenerationFacts | undefined) => void;
  /** Passes the generation to the threads that answer requests; resolves when they have it. */
  readonly handOver: (generation: Generation) => Promise<void>;
  readonly log: DatabaseLog;
  readonly signal: AbortSignal;
}

/** The number and time of the published generation. */
export type PublishedAs = Pick<Generation, 'id' | 'publishedAt'>;

export interface Step<Result> {
  /** Also the name of its duration in the report of the generation. */
  readonly name: string;
  /** Computes the result from those of earlier steps. Before and after it, the connection has no open transaction. */
  work(build: Build): Promise<Result>;
  /** Writes the result, on the connection of the build, in the one transaction that publishes the generation. */
  publish?(build: Build, result: Result, generation: PublishedAs): Promise<void>;
}

/** One build: its environment, and the results of the steps so far. */
export class Build {
  readonly context: BuildContext;
  /** Holds the build lock. */
  readonly client: pg.Client;
  /** Milliseconds of each step's work, and of publishing its results. */
  readonly laps: Record<string, number> = {};
  readonly #results = new Map<Step<unknown>, unknown>();
  #lapAt = performance.now();

  constructor(context: BuildContext, client: pg.Client) {
    this.context = context;
    this.client = client;
  }

  async run<Result>(step: Step<Result>): Promise<void> {
    this.context.signal.throwIfAborted();
    this.#results.set(step, await step.work(this));
    this.lap(step.name);
  }

  async publish<Result>(step: Step<Result>, generation: PublishedAs): Promise<void> {
    if (step.publish === undefined) return;
    await step.publish(this, this.resultOf(step), generation);
    this.lap(`publish ${step.name}`);
  }

  /** @throws Error if the step has not run, so the table of steps is in the wrong order */
  resultOf<Result>(step: Step<Result>): Result {
    if (!this.#results.has(step)) throw new Error(`the step "${step.name}" has not run yet`);
    return this.#results.get(step) as Result;
  }

  /** Records the time since the previous lap. */
  lap(name: string): void {
    const now = performance.now();
    this.laps[name] = Math.round(now - this.#lapAt);
    this.#lapAt = now;
  }
}
