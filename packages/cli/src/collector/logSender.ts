/** Hands lines of the log over while a job runs. A line whose answer was lost is sent again: the service keeps a line once. */
import { ApiError } from '@clew/client';
import type { CollectorService } from './collectorService.ts';
import type { RunLog } from './runLog.ts';

const LINES_OF_A_CALL = 200;
const EVERY_MS = 3_000;

export class LogSender {
  readonly #service: CollectorService;
  readonly #log: RunLog;
  #sending: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(service: CollectorService, log: RunLog) {
    this.#service = service;
    this.#log = log;
  }

  /** Sends lines every few seconds until `stop`. */
  start(): void {
    // A service that does not answer now gets them later.
    this.#timer = setInterval(() => void this.flush().catch(() => undefined), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Sends what waits, one call after the other. @throws errors of the service; the lines wait then */
  flush(): Promise<void> {
    this.#sending = this.#sending.catch(() => undefined).then(() => this.#send());
    return this.#sending;
  }

  async #send(): Promise<void> {
    for (;;) {
      const lines = this.#log.take(LINES_OF_A_CALL);
      if (lines.length === 0) return;
      try {
        await this.#service.addLines(lines);
      } catch (error) {
        this.#log.putBack(lines);
        // Without a job, and at a service of an earlier version: the end of the job has them.
        if (error instanceof ApiError && error.status === 404) return;
        throw error;
      }
    }
  }
}
