/** Saved views of lists. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { integerId, paging } from '../parameters.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { NewView, VIEW_COLUMNS, ViewChange, ViewRecord } from '../schemas/views.ts';
import { defineRoutes } from './defineRoutes.ts';

const TAG = 'Views';
const READ = ['graphdb/Read'] as const;
const ViewPath = Type.Object({ view_id: integerId('Number of the view') });

export const viewRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/views',
    operationId: 'ListViews',
    tag: TAG,
    summary: 'Saved views of lists: your own and shared ones, by name',
    access: READ,
    query: Type.Object({ ...listParameters(VIEW_COLUMNS), ...paging(1000) }),
    columns: VIEW_COLUMNS,
    responses: { 200: pageOf(ViewRecord) },
  },
  {
    method: 'POST',
    path: '/api/v2/views',
    operationId: 'CreateView',
    tag: TAG,
    summary:
      'Save a view: filters, order, groups and columns; sharing it requires `saved_queries/Write`, and for the audit log `audit_log/Read`',
    access: READ,
    bodyKind: 'json',
    body: NewView,
    responses: { 201: dataOf(ViewRecord) },
    errors: [409],
  },
  {
    method: 'GET',
    path: '/api/v2/views/{view_id}',
    operationId: 'GetView',
    tag: TAG,
    summary: 'A saved view',
    access: READ,
    params: ViewPath,
    responses: { 200: dataOf(ViewRecord) },
    errors: [404],
  },
  {
    method: 'PATCH',
    path: '/api/v2/views/{view_id}',
    operationId: 'UpdateView',
    tag: TAG,
    summary: 'Rename, share or replace your own view; missing members stay unchanged',
    access: READ,
    params: ViewPath,
    bodyKind: 'json',
    body: ViewChange,
    responses: { 200: dataOf(ViewRecord) },
    errors: [404, 409],
  },
  {
    method: 'DELETE',
    path: '/api/v2/views/{view_id}',
    operationId: 'DeleteView',
    tag: TAG,
    summary: 'Delete your own view; administrators can also delete shared views of others',
    access: READ,
    params: ViewPath,
    responses: { 204: null },
    errors: [404],
  },
]);
