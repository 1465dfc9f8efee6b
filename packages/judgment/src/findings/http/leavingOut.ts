/** Accepted findings may be left out of the plan: what the acceptance asks of the plan, which depends on findings and not the reverse. */
import type { ConstraintRecord } from '@clew/api';
import type { RequestContext } from '@clew/common';
import type { Db } from '@clew/store';

export interface LeavingOut {
  /** Numbers of the findings. */
  readonly ids: readonly number[];
  /** The acceptance ends then; null for one without an end. */
  readonly until: string | null;
  readonly reason: string;
  /** The change of many findings that asks for it, whose undoing takes the constraints back. */
  readonly bulk_change_id?: number | null;
}

export interface PlanLeaving {
  /** @throws ApiError 403 for users who may not say what cannot be changed */
  readonly require: (context: Pick<RequestContext, 'principal'>) => void;
  /** @returns the new constraints */
  readonly leaveOut: (db: Db, context: RequestContext, wanted: LeavingOut) => Promise<ConstraintRecord[]>;
  /**
   * Takes back what a change of many findings left out.
   * @returns how many constraints there were @throws ApiError 403 where there are some, as `require` does
   */
  readonly takeBack: (db: Db, context: RequestContext, bulk_change_id: number) => Promise<number>;
}
