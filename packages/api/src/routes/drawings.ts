/** Saved drawings of Explore. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { integerId, paging } from '../parameters.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import {
  DRAWING_COLUMNS,
  DrawingChange,
  DrawingRecord,
  NewDrawing,
  OpenedDrawing,
} from '../schemas/drawings.ts';
import { defineRoutes } from './defineRoutes.ts';

const TAG = 'Drawings';
const READ = ['graphdb/Read'] as const;
const WRITE = ['saved_queries/Write'] as const;
const BODY_BYTES = 2 * 1024 * 1024;
const DrawingPath = Type.Object({ drawing_id: integerId('Number of the drawing') });

export const drawingRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/drawings',
    operationId: 'ListDrawings',
    tag: TAG,
    summary: 'Saved drawings: your own and shared ones, most recently changed first',
    access: READ,
    query: Type.Object({ ...listParameters(DRAWING_COLUMNS), ...paging(1000) }),
    columns: DRAWING_COLUMNS,
    responses: { 200: pageOf(DrawingRecord) },
  },
  {
    method: 'POST',
    path: '/api/v2/drawings',
    operationId: 'CreateDrawing',
    tag: TAG,
    summary: 'Save a drawing: its objects with their positions, its relationships, and its query',
    access: WRITE,
    bodyKind: 'json',
    body: NewDrawing,
    maxBodyBytes: BODY_BYTES,
    responses: { 201: dataOf(DrawingRecord) },
    errors: [409],
  },
  {
    method: 'GET',
    path: '/api/v2/drawings/{drawing_id}',
    operationId: 'GetDrawing',
    tag: TAG,
    summary: 'A drawing with the parts that still exist in the current graph, and the missing ones',
    access: READ,
    params: DrawingPath,
    responses: { 200: dataOf(OpenedDrawing) },
    errors: [404],
  },
  {
    method: 'PATCH',
    path: '/api/v2/drawings/{drawing_id}',
    operationId: 'UpdateDrawing',
    tag: TAG,
    summary: 'Rename, share or replace your own drawing; missing members stay unchanged',
    access: WRITE,
    params: DrawingPath,
    bodyKind: 'json',
    body: DrawingChange,
    maxBodyBytes: BODY_BYTES,
    responses: { 200: dataOf(DrawingRecord) },
    errors: [404, 409],
  },
  {
    method: 'DELETE',
    path: '/api/v2/drawings/{drawing_id}',
    operationId: 'DeleteDrawing',
    tag: TAG,
    summary: 'Delete your own drawing; administrators can also delete shared drawings of others',
    access: WRITE,
    params: DrawingPath,
    responses: { 204: null },
    errors: [404],
  },
]);
