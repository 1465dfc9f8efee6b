/**
 * Follows changes of a domain: regularly asks the controller for changes and looks for deletions, and reads everything each week, at the
 * start, and when the controller's change numbers become invalid. Sends nothing if nothing changed.
 */

import { rm } from 'node:fs/promises';
import { JOB_STATUS } from '@clew/api';
import { type CollectResult, collectChanges, FullReadingNeeded, isRefused } from '@clew/collect';
import { counted } from '@clew/model';
import { formatCount, formatDuration } from '../terminal/text.ts';
import { notesOf, readingOf } from './collectSource.ts';
import type { FollowedDomain } from './domains.ts';
import { reasonOf } from './failures.ts';
import { LogSender } from './logSender.ts';
import { type JobParts, type Outcome, type ReadingParts, readAll, sendFiles } from './runJob.ts';
import { tellReading } from './tellReading.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

export interface WatchTimes {
  /** Milliseconds between queries for changes; 0 for none. */
  readonly interval: number;
  /** Milliseconds between comparisons of all ids; 0 for none. */
  readonly sweep: number;
  /** Milliseconds between full readings; 0 for none after the first. */
  readonly full: number;
}

/** Whether a time has passed; 0 never does. */
export const hasPassed = (since: number, time: number): boolean => time > 0 && since >= time;

type WatchedParts = Omit<JobParts, 'domains'>;

export class Watch {
  readonly #parts: WatchedParts;
  readonly #times: WatchTimes;
  #askedAt = Number.NEGATIVE_INFINITY;
  #sweptAt = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #failure = '';

  constructor(parts: WatchedParts, times: WatchTimes) {
    this.#parts = parts;
    this.#times = times;
  }

  get isDue(): boolean {
    return hasPassed(performance.now() - this.#askedAt, this.#times.interval);
  }

  /** Time of the last question; less than all times before the first. */
  get askedAt(): number {
    return this.#askedAt;
  }

  /** Records a full reading at the request of a user. */
  noteFull(): void {
    this.#askedAt = performance.now();
    this.#sweptAt = this.#askedAt;
    this.#readAt = this.#askedAt;
  }

  /** @throws only errors of the service */
  async ask({ name, source, changes }: FollowedDomain): Promise<Outcome> {
    const { signal } = this.#parts;
    const log = this.#parts.log.about(name);
    const asking: ReadingParts = { source, changes, signal, log };
    this.#askedAt = performance.now();
    const directory = await temporaryDirectory();
    try {
      const isFull = !changes.hasBegun || hasPassed(this.#askedAt - this.#readAt, this.#times.full);
      if (isFull) await this.#readAll(directory, asking);
      else await this.#readChanges(directory, asking);
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

  async #readAll(directory: string, asking: ReadingParts): Promise<void> {
    const result = await readAll(directory, asking);
    await this.#send(result, notesOf(result), { ...asking, isFull: true });
  }

  async #readChanges(directory: string, asking: ReadingParts): Promise<void> {
    const { source, changes, log, signal } = asking;
    const began = performance.now();
    const sweeps = hasPassed(began - this.#sweptAt, this.#times.sweep);
    try {
      const report = await collectChanges({ ...source, directory, signal, sweeps }, changes);
      const records = Object.values(report.counts).reduce((sum, count = 0) => sum + count, 0);
      if (records > 0) {
        const removed = report.deleted === 0 ? '' : `, ${formatCount(report.deleted)} of them deleted`;
        log.say(
          `${counted(records, 'object')} changed${removed}; read in ${formatDuration(performance.now() - began)}`,
        );
        for (const { what, count, first } of report.notes)
          log.say(`note: ${what}: ${formatCount(count)}, first ${first}`);
        await this.#send(report, report.notes, { ...asking, isFull: false });
      } else changes.commit();
      if (sweeps) this.#sweptAt = began;
    } catch (error) {
      if (!(error instanceof FullReadingNeeded)) throw error;
      changes.rollback();
      log.say(`reading everything again: ${error.message}`);
      await this.#readAll(directory, asking);
    }
  }

  /** Batches without a job are added to the job of the day. */
  async #send(
    result: Parameters<typeof sendFiles>[0],
    notes: CollectResult['notes'],
    { changes, source, log, isFull }: ReadingParts & { readonly isFull: boolean },
  ): Promise<void> {
    const { service, signal } = this.#parts;
    await sendFiles(result, { service, signal, log });
    const { status } = await new LogSender(service, this.#parts.log).end({ status: 'COMPLETE', message: '' });
    if (status === JOB_STATUS.canceled) throw new Error('a user canceled the job that reads changes');
    changes.commit();
    // Later errors must not cause another full reading.
    if (isFull) this.noteFull();
    await tellReading(
      { service, signal, log },
      result.facts.sid,
      readingOf({ ...result, notes }, source, isFull),
    );
  }
}
