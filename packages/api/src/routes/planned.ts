/**
 * Operations of the public API that this version does not have yet. They answer 501 in the error wrapper: clients take a 404 for
 * an empty result and report that all is well. A row is removed when its operation is built (`publicOperations.test.ts` asks for
 * one or the other).
 */
import type { HttpMethod } from '../route.ts';

export interface PlannedOperation {
  readonly method: HttpMethod;
  /** With `{name}` parameters. */
  readonly path: string;
}

export const PLANNED_OPERATIONS: readonly PlannedOperation[] = [];
