/** Helpers shared by the handlers of plans. */

import { apiError, lastMoment, notReady, orAborted, type RequestContext } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import { zoneRecords } from '@clew/judgment/handlers';
import type { RepairKind } from '@clew/planning';
import type { Db } from '@clew/store';
import { PlanError } from '../tasks/planError.ts';
import type { Planner } from './planner.ts';

export interface PlanParts {
  readonly db: Db;
  readonly generations: GenerationSource;
  /** For interactive questions, which take seconds at most. */
  readonly planner: Planner;
  /** Computes whole plans other than the stored ones. */
  readonly variants: Planner;
  readonly costs: Readonly<Partial<Record<RepairKind, number>>>;
  /** Days for which scheduled logon sessions count; 0 for no limit. */
  readonly sessionDays: number;
}

/** Refuses a missing zone, because an empty plan would look safe. @throws ApiError 404 if the zone does not exist */
export async function requireZone(db: Db, zone: number | undefined): Promise<void> {
  if (zone !== undefined && !(await zoneRecords(db)).has(zone)) throw apiError('resourceNotFound');
}

/** @throws ApiError 400 for objects that are not in the graph, 503 if the answering thread has ended */
export async function answering<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PlanError) throw apiError('malformedRequest', { reason: error.message });
    if ((error as Error).name === 'ThreadEnded')
      throw notReady('the data for plans currently does not fit into memory', THREAD_PAUSE_SECONDS, error);
    throw error;
  }
}

const THREAD_PAUSE_SECONDS = 60;
/** Retry delay for a question that took too long. */
const AGAIN_SECONDS = 10;

/**
 * Returns the result of the work within the client's waiting time (`Prefer: wait`).
 * @param ask its signal aborts when the time is up
 * @throws ApiError 503 with a retry time; errors of `answering`
 */
export async function inTime<Result>(
  context: Pick<RequestContext, 'signal' | 'deadline'>,
  what: string,
  ask: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const ms = Math.min(lastMoment(context.deadline) - Date.now(), MAX_TIMER_MS);
  const timer = setTimeout(
    () =>
      late.abort(
        notReady(`${what} takes longer than the wait time of the request (Prefer: wait)`, AGAIN_SECONDS),
      ),
    Math.max(0, ms),
  );
  const signal = AbortSignal.any([context.signal, late.signal]);
  try {
    return await answering(orAborted(ask(signal), signal));
  } finally {
    clearTimeout(timer);
  }
}

const MAX_TIMER_MS = 2_000_000_000;
