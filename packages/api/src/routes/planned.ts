/**
 * Operations of the public API that this version does not implement yet. They answer 501 in the error wrapper, because clients would treat
 * a 404 as an empty result and report success. A row is removed when its operation is implemented (`publicOperations.test.ts` requires one
 * or the other).
 */
import type { HttpMethod } from '../route.ts';

export interface PlannedOperation {
  readonly method: HttpMethod;
  /** Contains `{name}` parameters. */
  readonly path: string;
}

export const PLANNED_OPERATIONS: readonly PlannedOperation[] = [];
