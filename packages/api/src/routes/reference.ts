/** The interactive API reference. */
import Type from 'typebox';
import { defineRoutes } from './defineRoutes.ts';

export const referenceRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/docs',
    operationId: 'GetApiReference',
    tag: 'API Info',
    summary: 'This description as a page where you can try requests',
    access: 'none',
    responses: { 200: null },
    otherMediaTypes: ['text/html'],
  },
  {
    method: 'GET',
    path: '/api/v2/docs/{file}',
    operationId: 'GetApiReferenceFile',
    tag: 'API Info',
    summary: 'Scripts and styles of that page',
    access: 'none',
    params: Type.Object({ file: Type.String() }),
    responses: { 200: null },
    otherMediaTypes: ['text/css', 'text/javascript'],
    errors: [404],
  },
]);
