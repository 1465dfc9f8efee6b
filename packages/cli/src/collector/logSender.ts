/**
 * Sends lines of the log during a job, and the rest at its end. A line whose answer was lost is sent again, because the service stores a
 * line once.
 */
import type { ClientJob, EndJobRequest } from '@clew/api';
import { ApiError } from '@clew/client';
import type { CollectorService } from './collectorService.ts';
import { bytesOf, type LogLine, type RunLog } from './runLog.ts';
import { isOutage } from './untilAnswered.ts';

const LINES_OF_A_CALL = 200;
/** Half of the limit of the service for one call (`LARGE_BODY` of the API: 1 MiB). */
const BYTES_OF_A_CALL = 512 * 1024;
/** Bytes of the log in the end of a job; the service accepts 900,000. */
const BYTES_OF_THE_END = 800_000;
const EVERY_MS = 3_000;

export class LogSender {
  readonly #service: CollectorService;
  readonly #log: RunLog;
  #sending: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** After the service refused lines, they are only sent with the end of the job. */
  #isRefused = false;

  constructor(service: CollectorService, log: RunLog) {
    this.#service = service;
    this.#log = log;
  }

  /** Sends lines every few seconds until `stop`. */
  start(): void {
    // A service that does not answer receives them later.
    this.#timer = setInterval(() => void this.flush().catch(() => undefined), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Sends pending lines, one call after the other. @throws errors of a service that does not answer; the lines stay pending */
  flush(): Promise<void> {
    this.#sending = this.#sending.catch(() => undefined).then(() => this.#send());
    return this.#sending;
  }

  /** Ends the job. The log is sent before the end, or with it if that failed; if the end also fails, the lines stay pending. */
  async end(request: EndJobRequest): Promise<ClientJob> {
    await this.flush();
    const lines = this.#log.take();
    try {
      const log = textOf(lines);
      return await this.#service.end({ ...request, ...(log !== '' && { log }) });
    } catch (error) {
      this.#log.putBack(lines);
      throw error;
    }
  }

  async #send(): Promise<void> {
    while (!this.#isRefused) {
      const lines = this.#log.take(LINES_OF_A_CALL, BYTES_OF_A_CALL);
      if (lines.length === 0) return;
      try {
        await this.#service.addLines(lines);
      } catch (error) {
        this.#log.putBack(lines);
        if (isOutage(error)) throw error;
        // No current job, an older service, or a proxy that refuses such calls.
        if (!(error instanceof ApiError)) throw error;
        this.#isRefused = true;
      }
    }
  }
}

/** The newest lines within the limit of the service; the first line has the number of missing ones. */
function textOf(lines: readonly LogLine[]): string {
  let from = lines.length;
  for (let bytes = 0; from > 0; from -= 1) {
    bytes += bytesOf(lines[from - 1]);
    if (bytes > BYTES_OF_THE_END) break;
  }
  const texts = lines.slice(from).map(({ at, text }) => `${at} ${text}`);
  const missing = from === 0 ? [] : [`${from} earlier lines are only on the screen of the collector`];
  return [...missing, ...texts].join('\n');
}
