/** Schedules of collector clients. Changes take effect when the tables are read next, without a restart. */

import { type ClientSchedule, type CollectorType, SCHEDULE_COLUMNS, type ScheduleRequest } from '@clew/api';
import {
  apiError,
  type Handlers,
  NEVER_DELETED,
  parseListQuery,
  recordSuccess,
  requireWholeView,
  tablePage,
} from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { HYDRATED, type Hydration, readScope } from './collectionScope.ts';
import { lockClient } from './collectorJobs.ts';
import { scheduleRecords } from './records.ts';
import { nextRun, readRule } from './recurrence.ts';
import { type CollectionEvent, changeWaitingJob, removeWaitingJob } from './schedules.ts';

type Operations =
  | 'ListClientSchedules'
  | 'CreateClientSchedule'
  | 'GetClientSchedule'
  | 'UpdateClientEvent'
  | 'DeleteClientEvent';

export function eventHandlers(db: Db): Handlers<Operations> {
  return {
    async ListClientSchedules({ query, rawQuery }, context) {
      requireWholeView(context);
      const { skip, limit } = query;
      const { count, rows } = await tablePage(db, {
        table: 'collection_event',
        list: parseListQuery(rawQuery, SCHEDULE_COLUMNS),
        page: query,
        references: NEVER_DELETED,
      });
      const data = await scheduleRecords(db, rows, query);
      return { status: 200, json: { count, skip, limit, data } };
    },

    async CreateClientSchedule({ body }, context) {
      requireWholeView(context);
      const clientId = body.client_id;
      if (clientId === undefined) throw apiError('clientIdNeeded');
      const id = await db.transaction().execute(async (transaction) => {
        const client = await lockClient(transaction, clientId.toLowerCase());
        const made = await addEvent(transaction, client, body);
        const fields = { event_id: made, client_id: client.id, rrule: body.rrule };
        await recordSuccess(transaction, context, 'CreateClientSchedule', fields);
        return made;
      });
      return { status: 200, json: { data: await shownEvent(db, id, HYDRATED) } };
    },

    async GetClientSchedule({ params, query }, context) {
      requireWholeView(context);
      return { status: 200, json: { data: await shownEvent(db, params.event_id, query) } };
    },

    async UpdateClientEvent({ params, body }, context) {
      requireWholeView(context);
      const id = params.event_id;
      await db.transaction().execute(async (transaction) => {
        const event = await findEvent(transaction, id);
        const client = await lockClient(transaction, event.client_id);
        // A schedule cannot move to another client, because its waiting job belongs to the client.
        if (body.client_id !== undefined && body.client_id.toLowerCase() !== client.id)
          throw apiError('invalidBody', { reason: 'client_id belongs to another client' });
        const scope = await readScope(transaction, client.type, body);
        await transaction
          .updateTable('collection_event')
          .set({ ...timesOf(body), ...scope, updated_at: sql`clock_timestamp()` })
          .where('id', '=', id)
          .execute();
        await changeWaitingJob(transaction, id, scope);
        const fields = { event_id: id, client_id: client.id, rrule: body.rrule };
        await recordSuccess(transaction, context, 'UpdateClientEvent', fields);
      });
      return { status: 200, json: { data: await shownEvent(db, id, HYDRATED) } };
    },

    async DeleteClientEvent({ params }, context) {
      requireWholeView(context);
      const id = params.event_id;
      await db.transaction().execute(async (transaction) => {
        const { client_id } = await findEvent(transaction, id);
        await removeWaitingJob(transaction, id);
        await transaction.deleteFrom('collection_event').where('id', '=', id).execute();
        const fields = { event_id: id, client_id };
        await recordSuccess(transaction, context, 'DeleteClientEvent', fields);
      });
      return { status: 200 };
    },
  };
}

/** @returns the id of the schedule. @throws ApiError 400 for an invalid rule or scope */
export async function addEvent(
  transaction: Db,
  client: { readonly id: string; readonly type: CollectorType },
  request: ScheduleRequest,
): Promise<number> {
  const { id } = await transaction
    .insertInto('collection_event')
    .values({
      client_id: client.id,
      ...timesOf(request),
      ...(await readScope(transaction, client.type, request)),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function timesOf({ rrule }: ScheduleRequest) {
  const now = new Date();
  const rule = readRule(rrule, now);
  return { rrule: rule, next_scheduled_at: nextRun(rule, now) ?? null };
}

async function findEvent(db: Db, id: number): Promise<CollectionEvent> {
  const event = await db.selectFrom('collection_event').selectAll().where('id', '=', id).executeTakeFirst();
  if (event === undefined) throw apiError('resourceNotFound');
  return event;
}

async function shownEvent(db: Db, id: number, hydration: Hydration): Promise<ClientSchedule> {
  const [event] = await scheduleRecords(db, [await findEvent(db, id)], hydration);
  return event;
}
