/**
 * Notices which findings became overdue: because their due day ended, or because a change of the service levels, of a severity or of an
 * acceptance moved it into the past. A finding that stays overdue is noticed once. Rule: `docs/reference/webhooks.md#events`.
 */
import type { Db } from '@clew/store';
import { sql } from 'kysely';

const SETTING = 'findings.overdue';

/** Everything that decides which findings are overdue, at one time. */
interface Swept {
  /** Day (UTC). */
  readonly day: string;
  readonly levels: string;
  /** The last publication. */
  readonly published: string;
  /** Time of noticing. */
  readonly at: string;
}

interface Compared {
  readonly before: Swept | null;
  readonly now: Swept;
}

/**
 * Reads all open findings once a day and after a change of the service levels, otherwise those that changed.
 * @param transaction other processes wait until it ends, so that times of noticing are in the order of the commits
 * @returns the time until which findings are noticed
 */
export async function noticeOverdue(transaction: Db): Promise<string> {
  const seen = await compared(transaction, false);
  if (seen.before !== null && isSame(seen.before, seen.now)) return seen.before.at;
  await sql`insert into setting (key, value) values (${SETTING}, 'null') on conflict do nothing`.execute(
    transaction,
  );
  const { before, now } = await compared(transaction, true);
  if (before !== null && isSame(before, now)) return before.at;
  const isPart = before !== null && before.day === now.day && before.levels === now.levels;
  const changed = isPart ? sql`updated_at > ${before.published}::timestamptz` : sql`true`;
  const isOverdue = sql`deleted_at is null and is_overdue`;
  await sql`
    insert into overdue_finding (finding_id, since, noticed_at)
    select id, greatest(due::timestamp at time zone 'UTC' + interval '1 day', ${before?.at ?? null}::timestamptz), ${now.at}::timestamptz
    from finding_view where ${isOverdue} and ${changed}
    on conflict do nothing`.execute(transaction);
  await sql`
    delete from overdue_finding using finding_view
    where finding_view.id = finding_id and ${changed} and not (${isOverdue})`.execute(transaction);
  await sql`update setting set value = ${JSON.stringify(now)}::jsonb where key = ${SETTING}`.execute(
    transaction,
  );
  return now.at;
}

const isSame = (a: Swept, b: Swept): boolean =>
  a.day === b.day && a.levels === b.levels && a.published === b.published;

/** @param isLocked keeps other processes out until the transaction ends */
async function compared(transaction: Db, isLocked: boolean): Promise<Compared> {
  const { rows: stored } = await sql<{ value: Swept | null }>`
    select value from setting where key = ${SETTING} ${isLocked ? sql`for update` : sql``}`.execute(
    transaction,
  );
  const { rows } = await sql<Swept>`
    select to_char(statement_timestamp() at time zone 'UTC', 'YYYY-MM-DD') as day,
      coalesce((select string_agg(severity || ' ' || days || ' ' || since, ',' order by severity) from service_level), '') as levels,
      (select published_at from publication_clock) as published, statement_timestamp() as at`.execute(
    transaction,
  );
  return { before: stored[0]?.value ?? null, now: rows[0] };
}
