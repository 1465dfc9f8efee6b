/**
 * Follows changes of a domain: regularly asks the controller for changes and looks for deletions, and reads everything each week, at the
 * start, and when the controller's change numbers become invalid. Sends nothing if nothing changed.
 */
import { rm } from 'node:fs/promises';
import { JOB_STATUS } from '@clew/api';
import { type CollectResult, collectChanges, FullReadingNeeded, isRefused } from '@clew/collect';
import { formatCount, formatDuration, plural } from '../terminal/text.ts';
import { notesOf, readingOf } from './collectSource.ts';
import { reasonOf } from './failures.ts';
import { LogSender } from './logSender.ts';
import { type JobParts, type Outcome, readAll, sendFiles } from './runJob.ts';
import { tellReading } from './tellReading.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

export interface WatchTimes {
  /** Milliseconds between queries for changes; 0 for none. */
  readonly interval: number;
  readonly sweep: number;
  readonly full: number;
}

export class Watch {
  readonly #parts: JobParts;
  readonly #times: WatchTimes;
  #askedAt = Number.NEGATIVE_INFINITY;
  #sweptAt = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #failure = '';

  constructor(parts: JobParts, times: WatchTimes) {
    this.#parts = parts;
    this.#times = times;
  }

  get isDue(): boolean {
    return this.#times.interval > 0 && performance.now() - this.#askedAt >= this.#times.interval;
  }

  /** Records a full reading at the request of a user. */
  noteFull(): void {
    this.#askedAt = performance.now();
    this.#sweptAt = this.#askedAt;
    this.#readAt = this.#askedAt;
  }

  /** @throws only errors of the service */
  async ask(): Promise<Outcome> {
    const { changes, log, signal } = this.#parts;
    this.#askedAt = performance.now();
    const directory = await temporaryDirectory();
    try {
      const isFull = !changes.hasBegun || this.#askedAt - this.#readAt >= this.#times.full;
      if (isFull) await this.#readAll(directory);
      else await this.#readChanges(directory);
      if (this.#failure !== '') log.say('the domain controller answers again');
      this.#failure = '';
      return 'complete';
    } catch (error) {
      changes.rollback();
      if (signal.aborted) return 'failed';
      const reason = reasonOf(error);
      // Logs an unavailable controller once.
      if (reason !== this.#failure) log.say(`changes could not be read: ${reason}`);
      this.#failure = reason;
      return isRefused(error) ? 'refused' : 'failed';
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  async #readAll(directory: string): Promise<void> {
    const result = await readAll(directory, this.#parts);
    await this.#send(result, notesOf(result), true);
  }

  async #readChanges(directory: string): Promise<void> {
    const { source, changes, log, signal } = this.#parts;
    const began = performance.now();
    const sweeps = began - this.#sweptAt >= this.#times.sweep;
    try {
      const report = await collectChanges({ ...source, directory, signal, sweeps }, changes);
      const records = Object.values(report.counts).reduce((sum, count = 0) => sum + count, 0);
      if (records > 0) {
        const removed = report.deleted === 0 ? '' : `, ${formatCount(report.deleted)} of them deleted`;
        log.say(
          `${plural(records, 'object')} changed${removed}; read in ${formatDuration(performance.now() - began)}`,
        );
        for (const { what, count, first } of report.notes)
          log.say(`note: ${what}: ${formatCount(count)}, first ${first}`);
        await this.#send(report, report.notes, false);
      } else changes.commit();
      if (sweeps) this.#sweptAt = began;
    } catch (error) {
      if (!(error instanceof FullReadingNeeded)) throw error;
      changes.rollback();
      log.say(`reading everything again: ${error.message}`);
      await this.#readAll(directory);
    }
  }

  /** Batches without a job are added to the job of the day. */
  async #send(
    result: Parameters<typeof sendFiles>[0],
    notes: CollectResult['notes'],
    isFull: boolean,
  ): Promise<void> {
    const { service, log, changes, source } = this.#parts;
    await sendFiles(result, this.#parts);
    const { status } = await new LogSender(service, log).end({ status: 'COMPLETE', message: '' });
    if (status === JOB_STATUS.canceled) throw new Error('a user canceled the job that reads changes');
    changes.commit();
    // Later errors must not cause another full reading.
    if (isFull) this.noteFull();
    await tellReading(this.#parts, result.facts.sid, readingOf({ ...result, notes }, source, isFull));
  }
}
