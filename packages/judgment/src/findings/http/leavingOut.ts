/** Interface through which an acceptance excludes findings from the plan: plans depend on findings, so findings cannot import them. */
import type { ConstraintRecord } from '@clew/api';
import type { ApiError, RequestContext } from '@clew/common';
import type { Db } from '@clew/store';

export interface LeavingOut {
  /** Ids of the findings. */
  readonly ids: readonly number[];
  /** End of the acceptance; null if it has no end. */
  readonly until: string | null;
  readonly reason: string;
  /** The bulk change that requests this; undoing it removes the constraints. */
  readonly bulk_change_id?: number | null;
}

export interface PlanLeaving {
  /** @throws ApiError 403 for users who may not set constraints */
  readonly require: (context: Pick<RequestContext, 'principal'>) => void;
  /** @returns an error if the constraints that would leave out the findings have no room */
  readonly lackOfRoom: (db: Db, ids: readonly number[]) => Promise<ApiError | undefined>;
  /** @returns the new constraints */
  readonly leaveOut: (db: Db, context: RequestContext, wanted: LeavingOut) => Promise<ConstraintRecord[]>;
  /**
   * Removes the constraints that a bulk change added.
   * @returns the number of constraints @throws ApiError 403 like `require` if there are any
   */
  readonly takeBack: (db: Db, context: RequestContext, bulk_change_id: number) => Promise<number>;
}
