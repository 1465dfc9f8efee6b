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
GET /api/v2/clients
POST /api/v2/clients
POST /api/v2/clients/error
PUT /api/v2/clients/update
DELETE /api/v2/clients/{client_id}
GET /api/v2/clients/{client_id}
PUT /api/v2/clients/{client_id}
GET /api/v2/clients/{client_id}/completed-jobs
GET /api/v2/clients/{client_id}/completed-tasks
POST /api/v2/clients/{client_id}/jobs
POST /api/v2/clients/{client_id}/tasks
PUT /api/v2/clients/{client_id}/token
GET /api/v2/collectors/{collector_type}
GET /api/v2/collectors/{collector_type}/{release_tag}
GET /api/v2/collectors/{collector_type}/{release_tag}/checksum
GET /api/v2/events
POST /api/v2/events
DELETE /api/v2/events/{event_id}
GET /api/v2/events/{event_id}
PUT /api/v2/events/{event_id}
PUT /api/v2/extensions
DELETE /api/v2/extensions/{extension_id}
POST /api/v2/ingest
GET /api/v2/jobs
GET /api/v2/jobs/available
GET /api/v2/jobs/current
POST /api/v2/jobs/end
GET /api/v2/jobs/finished
POST /api/v2/jobs/start
GET /api/v2/jobs/{job_id}
PUT /api/v2/jobs/{job_id}/cancel
GET /api/v2/jobs/{job_id}/log
GET /api/v2/kennel/download/{asset_name}
GET /api/v2/kennel/enterprise-manifest
GET /api/v2/kennel/manifest
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
GET /api/v2/tasks
GET /api/v2/tasks/available
GET /api/v2/tasks/current
POST /api/v2/tasks/end
GET /api/v2/tasks/finished
POST /api/v2/tasks/start
GET /api/v2/tasks/{task_id}
PUT /api/v2/tasks/{task_id}/cancel
GET /api/v2/tasks/{task_id}/log
`
  .trim()
  .split('\n')
  .map((line) => {
    const [method, path] = line.split(' ') as [HttpMethod, string];
    return { method, path };
  });
