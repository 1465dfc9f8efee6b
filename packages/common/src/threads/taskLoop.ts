/**
 * Runs one task whenever it is woken, never twice at the same time.
 *
 *   idle -wake-> due -delay-> running -done-> idle
 *   running -wake-> running, then due again: the run may have missed new data
 *   running -error-> waiting, twice as long each time -> due
 *
 * If the environment prevents the work of the task (disk, memory, connections, missing database), or the task fails repeatedly, it reports
 * this, and continues by itself as soon as possible.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseLog, isConnectionError, surroundingsFault } from '@clew/store';

const FIRST_PAUSE_MS = 250;
/** The database usually returns within seconds; other errors may need an administrator. */
const MAX_PAUSE_MS = { connection: 2_000, other: 60_000 };
/** Consecutive failures, the last one two seconds after the first, by which time a temporary problem has usually ended. */
const REPEATED_FAILURES = 4;

export interface LoopTask {
  readonly name: string;
  /** Calls within this time count as one. */
  readonly delayMs: number;
  /** Does all work that is due. @throws the error that prevented it; it is called again */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Called each time the work of the task is prevented: by the environment, or because the same work fails repeatedly. Called without an
   * obstacle when the task continues. The text contains no data.
   */
  onObstacle?(obstacle: string | undefined): void;
}

export class TaskLoop {
  readonly #task: LoopTask;
  readonly #log: DatabaseLog;
  readonly #abort = new AbortController();
  #woken = false;
  #running: Promise<void> | undefined;

  constructor(task: LoopTask, log: DatabaseLog) {
    this.#task = task;
    this.#log = log;
  }

  wake(): void {
    this.#woken = true;
    this.#running ??= this.#loop().finally(() => {
      this.#running = undefined;
      if (this.#woken && !this.#abort.signal.aborted) this.wake();
    });
  }

  /** No run is active, due or waiting for a retry. */
  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Asks the task to stop, and waits for its end. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  async #loop(): Promise<void> {
    const { signal } = this.#abort;
    let pause = FIRST_PAUSE_MS;
    let failures = 0;
    while (this.#woken && !signal.aborted) {
      await pauseFor(this.#task.delayMs, signal);
      if (signal.aborted) return;
      this.#woken = false;
      try {
        await this.#task.run(signal);
        pause = FIRST_PAUSE_MS;
        failures = 0;
        this.#task.onObstacle?.(undefined);
      } catch (error) {
        if (signal.aborted) return;
        this.#woken = true;
        const isConnection = isConnectionError(error);
        const fault = surroundingsFault(error);
        if (fault === undefined) failures++;
        this.#task.onObstacle?.(fault ?? repeated(failures));
        if (fault !== undefined && !isConnection)
          this.#log.warn({ task: this.#task.name, fault, reason: (error as Error).message }, 'a task waits');
        else if (!isConnection)
          this.#log.error({ err: error, task: this.#task.name }, 'a task failed; retrying');
        await pauseFor(pause, signal);
        pause = Math.min(pause * 2, MAX_PAUSE_MS[isConnection ? 'connection' : 'other']);
      }
    }
  }
}

async function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  // Ends early, without an error, when the signal aborts.
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}

const repeated = (failures: number): string | undefined =>
  failures < REPEATED_FAILURES
    ? undefined
    : `the last ${failures} attempts failed; see the log for the reason`;
