/** Inbox rows about certifications, uploads, and acceptances that need a second approver. */

import { FINAL_JOB_STATUSES, type InboxItem } from '@clew/api';
import { acceptanceRequests, Certified } from '@clew/judgment';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { type InboxRows, type InboxScope, MAX_ROWS } from './inboxFindings.ts';
import { judged, type OpenItem } from './judged.ts';

/** One row per zone; it reappears when the number of waiting members changes. */
export async function certificationRows(db: Db, scope: InboxScope): Promise<InboxRows> {
  const { rows } = await sql<{ id: number; name: string; count: number }>`
    select zone.id, zone.name, count(*)::integer as count
    from asset_group_tag zone join zone_member on zone_member.tag_id = zone.id
    where zone.require_certify and zone.deleted_at is null and zone_member.certified = ${Certified.pending}
      and (${scope.visible}::text[] is null or zone_member.environment_id = any (${scope.visible}::text[]))
    group by zone.id, zone.name order by zone.position nulls last, zone.id`.execute(db);
  const found = rows.map(
    ({ id, name, count }): OpenItem => ({
      ...{ key: `certify:${id}:${count}`, kind: 'certify', by: null, text: name, zone: id, count },
    }),
  );
  return judged(db, scope, found, false);
}

/** Acceptances of other users that the user may approve. */
export async function approvalRows(db: Db, scope: InboxScope): Promise<InboxRows> {
  const { user, visible } = scope;
  const waiting = await acceptanceRequests(db, { user, visible, waiting: 'others', limit: MAX_ROWS + 1 });
  const found = waiting.map(
    ({ id, requested_by, requested_at, finding_count, title }): OpenItem => ({
      ...{ key: `approval:${id}`, kind: 'approval', at: requested_at, by: requested_by, text: title },
      count: finding_count,
    }),
  );
  return judged(db, scope, found, false);
}

/** Decisions about acceptances that the user asked for. A withdrawal is the user's own, so its row is done. */
export async function decisionRows(db: Db, scope: InboxScope): Promise<InboxRows> {
  const { user, visible, all, limit } = scope;
  const ended = await acceptanceRequests(db, { user, visible, ended: true, limit: MAX_ROWS + 1 });
  const found = ended.flatMap(({ id, state, finding_ids: [finding_id = 0], ...request }): OpenItem[] => {
    const at = request.decided_at ?? request.expires_at;
    if (state === 'waiting' || at <= scope.from) return [];
    const {
      accepted_count,
      skipped_count,
      title: text,
      finding_count: count,
      decided_by: by,
      note,
    } = request;
    return [
      {
        ...{ key: `decision:${id}`, kind: 'decision', at, by },
        ...{ text, count, decision: { state, finding_id, accepted_count, skipped_count } },
        ...(note !== '' && { note }),
      },
    ];
  });
  const isWithdrawn = ({ decision }: OpenItem): boolean => decision?.state === 'withdrawn';
  const rows = await judged(
    db,
    scope,
    found.filter((row) => !isWithdrawn(row)),
    true,
  );
  if (!all) return rows;
  const own = found.filter(isWithdrawn).map((row): InboxItem => ({ ...row, done: true }));
  return { ...rows, items: [...rows.items, ...own].slice(0, limit) };
}

/** Uploads are not divided by environment, so users with limited environments get none. */
export async function uploadRows(db: Db, scope: InboxScope): Promise<InboxRows> {
  if (scope.visible !== null) return { count: 0, hasMore: false, items: [] };
  const rows = await db
    .selectFrom('upload_job as job')
    .leftJoin('user_account as account', 'account.id', 'job.user_id')
    .select(['job.id', 'job.end_time', 'job.status_message', 'job.total_files', 'job.failed_files'])
    .select(['job.partial_files', 'account.principal_name as name'])
    .where('job.status', 'in', [...FINAL_JOB_STATUSES])
    .where('job.deleted_at', 'is', null)
    .where('job.end_time', '>', scope.from)
    .orderBy('job.end_time', 'desc')
    .limit(MAX_ROWS + 1)
    .execute();
  const found = rows.map(
    ({ id, name, ...job }): OpenItem => ({
      ...{ key: `upload:${id}`, kind: 'upload', at: job.end_time, by: name, text: job.status_message },
      ...{ upload: id, count: job.total_files, failed_count: job.failed_files + job.partial_files },
    }),
  );
  return judged(db, scope, found, true);
}
