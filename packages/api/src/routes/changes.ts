/** The feed of changes. */
import Type from 'typebox';
import { withDefault } from '../parameters.ts';
import { ChangePage } from '../schemas/changes.ts';
import { defineRoutes } from './defineRoutes.ts';

export const changeRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/changes',
    operationId: 'ListChanges',
    tag: 'Attack Paths',
    summary:
      'Changes of findings and of watched queries since a position in the feed; without `since`, the current position',
    access: ['graphdb/Read'],
    rateClass: 'wide',
    query: Type.Object({
      since: Type.Optional(Type.String({ description: '`next` of an earlier answer or a time (RFC 3339)' })),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 1_000 }), 100),
    }),
    responses: { 200: ChangePage },
  },
]);
