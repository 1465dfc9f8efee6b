/** Work of a process without a request: the worker, backups, maintenance, webhooks, plans and reports. It pauses while a newer version changes the tables. */
import type { WorkerThread } from '@clew/worker';

interface Started {
  stop(): Promise<void>;
}

export class BackgroundWork {
  readonly #worker: Pick<WorkerThread, 'pause' | 'resume'>;
  readonly #start: () => readonly Started[];
  #running: readonly Started[];
  #isPaused = false;
  #isStopped = false;
  /** Changes of the state happen one after the other. */
  #last: Promise<void> = Promise.resolve();

  /** @param start starts all work besides the worker, which is running and is stopped by its owner */
  constructor(worker: Pick<WorkerThread, 'pause' | 'resume'>, start: () => readonly Started[]) {
    this.#worker = worker;
    this.#start = start;
    this.#running = start();
  }

  pause(): Promise<void> {
    return this.#next(async () => {
      this.#isPaused = true;
      await Promise.all([this.#worker.pause(), this.#end()]);
    });
  }

  resume(): Promise<void> {
    return this.#next(async () => {
      if (this.#isStopped || !this.#isPaused) return;
      this.#isPaused = false;
      this.#worker.resume();
      this.#running = this.#start();
    });
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.#next(() => this.#end());
  }

  /** @throws the first error, after all have ended */
  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = [];
    const results = await Promise.allSettled(running.map((started) => started.stop()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  #next(change: () => Promise<void>): Promise<void> {
    // A change that failed is reported by its caller, and does not prevent the next one.
    this.#last = this.#last.catch(() => {}).then(change);
    return this.#last;
  }
}
