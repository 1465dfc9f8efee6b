/** Rows of the inbox about plans, certifications and uploads. */
import { FINAL_JOB_STATUSES, type InboxItem } from '@clew/api';
import type { Generation } from '@clew/generation';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { Certified } from '../findings/zones/storedZones.ts';
import { adoptionRecords } from '../plan/adoptedPlans.ts';
import { seesPlan } from '../plan/savedPlans.ts';
import type { Sight } from '../plan/sight.ts';
import { type InboxRows, type InboxScope, MAX_ROWS } from './inboxFindings.ts';
import { doneOf } from './marks.ts';

type Open = Omit<InboxItem, 'done'>;

/** @param isRead rows up to the time that all is read are done */
async function judged(
  db: Db,
  { user, read, all, limit }: InboxScope,
  found: readonly Open[],
  isRead: boolean,
): Promise<InboxRows> {
  const done = await doneOf(
    db,
    user,
    found.map(({ key }) => key),
  );
  const isDone = ({ key, at }: Open): boolean =>
    done.has(key) || (isRead && read !== null && at !== undefined && at <= read);
  const items = found.map((item): InboxItem => ({ ...item, done: isDone(item) }));
  const open = items.filter((item) => !item.done);
  const shown = all ? [...open, ...items.filter((item) => item.done)] : open;
  return { count: open.length, hasMore: found.length > MAX_ROWS, items: shown.slice(0, limit) };
}

export interface PlanRows {
  /** Changes that an analysis found done, or made again. */
  readonly verified: InboxRows;
  /** Repairs that the user carries out. */
  readonly repairs: InboxRows;
}

export async function planRows(
  db: Db,
  generation: Generation,
  sight: Sight | undefined,
  scope: InboxScope,
): Promise<PlanRows> {
  const plans = await adoptionRecords({ db, generation, sight }, (row) => seesPlan(row, generation, sight));
  const verified = plans.flatMap(({ plan_id, name, changes }) =>
    changes.flatMap(({ number, title, history }): Open[] =>
      history
        .filter(({ state, at }) => (state === 'done' || state === 'undone') && at > scope.from)
        .map(({ state, at, generation: of }) => ({
          key: `${state === 'done' ? 'verified' : 'undone'}:${plan_id}:${number}:${of}`,
          kind: state === 'done' ? 'verified' : 'undone',
          // A mark says who reported it; collections do not say who did it.
          ...{ at, by: null, text: title, plan: { id: plan_id, name } },
        })),
    ),
  );
  const repairs = plans.flatMap(({ plan_id, name, repairs: all }) =>
    all
      .filter(({ owner, done_count, changes }) => owner?.id === scope.user && done_count < changes.length)
      .map(
        ({ number, title, due, updated }): Open => ({
          ...{ key: `repair:${plan_id}:${number}`, kind: 'repair', by: updated?.by ?? null },
          ...(updated !== null && { at: updated.at }),
          ...{ text: title, plan: { id: plan_id, name }, repair: number, due },
        }),
      ),
  );
  return {
    verified: await judged(db, scope, verified.sort(byTime), true),
    repairs: await judged(db, scope, repairs.sort(byDue), false),
  };
}

const byTime = (a: Open, b: Open): number => ((a.at ?? '') < (b.at ?? '') ? 1 : -1);
const byDue = (a: Open, b: Open): number => (a.due ?? '9').localeCompare(b.due ?? '9') || byTime(a, b);

/** One row for each zone: it is there again when another number waits. */
export async function certificationRows(db: Db, scope: InboxScope): Promise<InboxRows> {
  const { rows } = await sql<{ id: number; name: string; count: number }>`
    select zone.id, zone.name, count(*)::integer as count
    from asset_group_tag zone join zone_member on zone_member.tag_id = zone.id
    where zone.require_certify and zone.deleted_at is null and zone_member.certified = ${Certified.pending}
      and (${scope.visible}::text[] is null or zone_member.environment_id = any (${scope.visible}::text[]))
    group by zone.id, zone.name order by zone.position nulls last, zone.id`.execute(db);
  const found = rows.map(
    ({ id, name, count }): Open => ({
      ...{ key: `certify:${id}:${count}`, kind: 'certify', by: null, text: name, zone: id, count },
    }),
  );
  return judged(db, scope, found, false);
}

/** Uploads are not divided by environments: users who may see some of them get none. */
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
    ({ id, name, ...job }): Open => ({
      ...{ key: `upload:${id}`, kind: 'upload', at: job.end_time, by: name, text: job.status_message },
      ...{ upload: id, count: job.total_files, failed_count: job.failed_files + job.partial_files },
    }),
  );
  return judged(db, scope, found, true);
}
