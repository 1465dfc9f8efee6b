/** Stored reports over HTTP. Rule: `docs/web.md#reports`. */

import { REPORT_COLUMNS } from '@clew/api';
import type { Handlers, RequestContext, UserPrincipal } from '@clew/common';
import { apiError, recordPage, recordSuccess, requireUser } from '@clew/common';
import { zoneOf } from '@clew/judgment/handlers';
import type { Db } from '@clew/store';
import { requireSeen, sightOf } from '../tasks/sight.ts';
import { type ContentParts, reportContent } from './reportContent.ts';
import {
  hasZone,
  insertIssue,
  insertReport,
  issueFor,
  nextTime,
  type ReportRow,
  reportFor,
  reportRecord,
  reportsFor,
  requireNewReportName,
} from './storedReports.ts';

type Operations =
  | 'ListReports'
  | 'CreateReport'
  | 'GetReport'
  | 'UpdateReport'
  | 'DeleteReport'
  | 'MakeReport'
  | 'GetReportIssue';

const DEFAULT_DAYS = 30;

export function reportHandlers(parts: ContentParts): Handlers<Operations> {
  const { db } = parts;
  /** Only its owner can change a report. */
  const ownReport = async (id: number, { principal }: RequestContext): Promise<ReportRow> => {
    const user = requireUser(principal);
    const row = await reportFor(db, id, user);
    if (row.user_id !== user.userId) throw apiError('reportForeign');
    return row;
  };
  return {
    async ListReports(input, { principal }) {
      const records = await reportsFor(db, requireUser(principal));
      return { status: 200, json: recordPage(records, REPORT_COLUMNS, input) };
    },

    async CreateReport({ body }, context) {
      const user = requireUser(context.principal);
      const { name, audience = 'management', environment_id: environment = null } = body;
      const { asset_group_tag_id: zone = 1, days = DEFAULT_DAYS, masked = false, schedule = 'none' } = body;
      await requireSubject(parts, user, { zone, environment });
      const choices = { audience, zone, environment, days, masked };
      const now = new Date();
      const made = await reportContent(parts, choices, user, now.getTime());
      const next_at = nextTime(schedule, now)?.toISOString() ?? null;
      const row = await db.transaction().execute(async (transaction) => {
        const inserted = await insertReport(transaction, user, { ...choices, name, schedule, next_at });
        await insertIssue(transaction, inserted.id, user, made);
        await audit(transaction, context, 'CreateReport', inserted);
        return inserted;
      });
      return { status: 201, json: { data: await reportRecord(db, row, user) } };
    },

    async GetReport({ params }, { principal }) {
      const user = requireUser(principal);
      const row = await reportFor(db, params.report_id, user);
      return { status: 200, json: { data: await reportRecord(db, row, user) } };
    },

    async UpdateReport({ params, body: { name, schedule } }, context) {
      const before = await ownReport(params.report_id, context);
      const { id } = before;
      const row = await db.transaction().execute(async (transaction) => {
        if (name !== undefined && before.user_id !== null)
          await requireNewReportName(transaction, before.user_id, name, id);
        const changed = await transaction
          .updateTable('report')
          .set({
            name: name ?? before.name,
            // A new schedule restarts an ended one.
            ...(schedule !== undefined && {
              ...{ schedule, ended: null, ended_at: null, failed_at: null, failure: null },
              ...{ next_at: nextTime(schedule, new Date())?.toISOString() ?? null },
            }),
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow(() => apiError('resourceNotFound'));
        await audit(transaction, context, 'UpdateReport', changed);
        return changed;
      });
      return { status: 200, json: { data: await reportRecord(db, row, requireUser(context.principal)) } };
    },

    async DeleteReport({ params }, context) {
      const user = requireUser(context.principal);
      const row = await reportFor(db, params.report_id, user);
      if (row.user_id !== user.userId && user.role !== 'Administrator') throw apiError('reportForeign');
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('report').where('id', '=', row.id).execute();
        await audit(transaction, context, 'DeleteReport', row);
      });
      return { status: 204 };
    },

    async MakeReport({ params }, context) {
      const user = requireUser(context.principal);
      const row = await ownReport(params.report_id, context);
      await requireSubject(parts, user, row);
      const made = await reportContent(parts, row, user, Date.now());
      const data = await db.transaction().execute(async (transaction) => {
        const issue = await insertIssue(transaction, row.id, user, made);
        await audit(transaction, context, 'MakeReport', row);
        return issue;
      });
      return { status: 201, json: { data } };
    },

    async GetReportIssue({ params }, { principal }) {
      const user = requireUser(principal);
      const { id } = await reportFor(db, params.report_id, user);
      return { status: 200, json: { data: await issueFor(db, id, params.issue_id, user) } };
    },
  };
}

/** @throws ApiError 404 for a missing zone or environment, 403 for an environment that the user may not see */
async function requireSubject(
  { db, generations }: ContentParts,
  user: UserPrincipal,
  { zone, environment }: Pick<ReportRow, 'zone' | 'environment'>,
): Promise<void> {
  await zoneOf(db, zone);
  if (!(await hasZone(db, zone))) throw apiError('zoneNotFound', { id: String(zone) });
  if (environment === null) return;
  const generation = generations.current();
  requireSeen(sightOf(generation, user), [environment]);
  if (!generation.environments.some(({ id }) => id === environment)) throw apiError('resourceNotFound');
}

const audit = (
  db: Db,
  context: RequestContext,
  action: string,
  { id, name, schedule, masked }: ReportRow,
): Promise<void> => recordSuccess(db, context, action, { report_id: id, name, schedule, masked });
