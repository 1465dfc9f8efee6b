/**
 * Operations of the public API that this version does not have yet. They answer 501 in the error wrapper: clients take
 * a 404 for "there is none" and report that all is well. A row goes when its operation comes
 * (`publicOperations.test.ts` asks for one or the other).
 */
import type { HttpMethod } from '../route.ts';

export interface PlannedOperation {
  readonly method: HttpMethod;
  /** With `{name}` parameters. */
  readonly path: string;
}

export const PLANNED_OPERATIONS: readonly PlannedOperation[] = `
PUT /api/v2/extensions
DELETE /api/v2/extensions/{extension_id}
GET /api/v2/saved-queries
POST /api/v2/saved-queries
GET /api/v2/saved-queries/export
POST /api/v2/saved-queries/import
DELETE /api/v2/saved-queries/{saved_query_id}
GET /api/v2/saved-queries/{saved_query_id}
PUT /api/v2/saved-queries/{saved_query_id}
GET /api/v2/saved-queries/{saved_query_id}/export
DELETE /api/v2/saved-queries/{saved_query_id}/permissions
GET /api/v2/saved-queries/{saved_query_id}/permissions
PUT /api/v2/saved-queries/{saved_query_id}/permissions
`
  .trim()
  .split('\n')
  .map((line) => {
    const [method, path] = line.split(' ') as [HttpMethod, string];
    return { method, path };
  });
