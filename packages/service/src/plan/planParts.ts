/** What handlers of plans share. */
import type { GenerationSource } from '@clew/generation';
import type { Db } from '@clew/store';
import { zoneRecords } from '../findings/http/zoneRecords.ts';
import { apiError } from '../operation/apiError.ts';
import { PlanError } from './planError.ts';
import type { Planner } from './planner.ts';

export interface PlanParts {
  readonly db: Db;
  readonly generations: GenerationSource;
  readonly planner: Planner;
}

/** A zone that is not there has nothing to repair: that would read as safe. @throws ApiError 404 */
export async function requireZone(db: Db, zone: number | undefined): Promise<void> {
  if (zone !== undefined && !(await zoneRecords(db)).has(zone)) throw apiError('resourceNotFound');
}

/** @throws ApiError 400 for what the graph does not have */
export async function answering<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PlanError) throw apiError('malformedRequest', { reason: error.message });
    throw error;
  }
}
