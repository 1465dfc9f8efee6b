/** Deletion of data. */
import { ClearDatabase } from '../schemas/clearing.ts';
import { defineRoutes } from './defineRoutes.ts';

export const clearingRoutes = defineRoutes([
  {
    method: 'POST',
    path: '/api/v2/clear-database',
    operationId: 'DeleteBloodHoundDatabase',
    tag: 'Database',
    summary: 'Delete data permanently: histories immediately, parts of the graph through the data pipe',
    access: ['db/Wipe'],
    bodyKind: 'json',
    body: ClearDatabase,
    responses: { 204: null },
  },
]);
