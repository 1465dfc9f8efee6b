/** Changes since the last visit of a user. */
import Type from 'typebox';
import { parsedByHandler, withDefault } from '../parameters.ts';
import { dataOf } from '../schemas/common.ts';
import { InboxMarked, InboxMarks, InboxRecord } from '../schemas/inbox.ts';
import { defineRoutes } from './defineRoutes.ts';

const TAG = 'Inbox';
const READ = ['graphdb/Read'] as const;

export const inboxRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/inbox',
    operationId: 'GetInbox',
    tag: TAG,
    summary:
      'Changes that the user has not marked as done, in groups: opened, closed, verified, waiting, data',
    access: READ,
    query: Type.Object({
      since: parsedByHandler(
        'RFC 3339; default: the time up to which all changes are read, otherwise 30 days before now',
      ),
      limit: withDefault(
        Type.Integer({
          minimum: 0,
          maximum: 200,
          description: 'Maximum number of rows of each group; 0 returns only the counts',
        }),
        50,
      ),
      all: withDefault(Type.Boolean({ description: 'Includes rows that are done' }), false),
    }),
    responses: { 200: dataOf(InboxRecord) },
  },
  {
    method: 'PUT',
    path: '/api/v2/inbox/marks',
    operationId: 'MarkInbox',
    tag: TAG,
    summary: 'Mark rows as done or not done, and set the time up to which all changes are read',
    access: READ,
    bodyKind: 'json',
    body: InboxMarks,
    responses: { 200: dataOf(InboxMarked) },
  },
]);
