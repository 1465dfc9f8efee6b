/** Deletion of data. */
import { ClearDatabase } from '../schemas/clearing.ts';
import { defineRoutes } from './defineRoutes.ts';

export const clearingRoutes = defineRoutes([
  {
    method: 'POST',
    path: '/api/v2/clear-database',
    operationId: 'DeleteBloodHoundDatabase',
    tag: 'Database',
    summary: 'Delete data for good: histories at once, parts of the graph by the data pipe',
    access: ['db/Wipe'],
    bodyKind: 'json',
    body: ClearDatabase,
    responses: { 204: null },
  },
]);
