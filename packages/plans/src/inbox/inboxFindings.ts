/** Inbox rows about findings: opened, closed, assigned to the user, and acceptances that end soon. */

import type { InboxItem } from '@clew/api';
import type { FindingRow } from '@clew/judgment';
import { filteredFindings, findingsOfIds, IS_WHOLE, UNIFIED_REFERENCES } from '@clew/judgment';
import { unifiedFinding } from '@clew/judgment/handlers';
import type { Db } from '@clew/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

export interface InboxScope {
  readonly user: string;
  /** `null` for all. */
  readonly visible: readonly string[] | null;
  /** Only changes after this time are listed. */
  readonly from: string;
  /** Rows up to this time are read; null for none. */
  readonly read: string | null;
  /** Includes rows that are done. */
  readonly all: boolean;
  readonly limit: number;
}

export interface InboxRows {
  readonly count: number;
  readonly hasMore: boolean;
  readonly items: readonly InboxItem[];
}

/** Maximum number of rows per group, newest first. */
export const MAX_ROWS = 10_000;

interface Kind {
  readonly kind: InboxItem['kind'];
  /** Selects the rows among all findings. */
  readonly where: RawBuilder<SqlBool>;
  /** Time of the event, from columns of a finding. */
  readonly at: RawBuilder<string>;
  /** Part of the key after the number of the finding. */
  readonly suffix?: RawBuilder<string>;
  /** Rows up to the read time count as done. */
  readonly isRead: boolean;
  readonly by?: (row: FindingRow) => string | null;
  readonly timeOf: (row: FindingRow) => string | null;
}

/** Sort order that decides which rows are shown first. */
const SEVEREST = sql`severity desc, exposure_percentage desc, at desc, id`;

async function rowsOf(db: Db, scope: InboxScope, kind: Kind): Promise<InboxRows> {
  const { user, visible, read, all, limit } = scope;
  const key = sql<string>`${`${kind.kind}:`} || id || ${kind.suffix ?? sql`''`}`;
  const chosen = filteredFindings(
    db,
    { visible, state: 'all' },
    { filters: [], sorts: [] },
    UNIFIED_REFERENCES,
  )
    .select(['id', 'severity', 'exposure_percentage'])
    .select(kind.at.as('at'))
    .select(key.as('key'))
    .where(kind.where)
    .where(IS_WHOLE)
    .orderBy(kind.at, 'desc')
    .limit(MAX_ROWS + 1);
  const isDone = sql<boolean>`(mark.key is not null${
    kind.isRead ? sql` or coalesce(recent.at <= ${read}::timestamptz, false)` : sql``
  })`;
  const { rows } = await sql<{ id: number; key: string; done: boolean; open: number; found: number }>`
    with recent as (${chosen}), judged as (
      select recent.*, ${isDone} as done from recent
      left join inbox_mark mark on mark.user_id = ${user} and mark.key = recent.key)
    select id, key, done, (count(*) filter (where not done) over ())::integer as open,
      (count(*) over ())::integer as found
    from judged order by done, ${SEVEREST} limit ${Math.max(limit, 1)}`.execute(db);
  // Each row carries the count, so it is known even if no row is shown.
  const shown = (all ? rows : rows.filter(({ done }) => !done)).slice(0, limit);
  const found = await findingsOfIds(
    db,
    visible,
    shown.map(({ id }) => id),
  );
  const byId = new Map(found.map((row) => [row.id, row]));
  const items = shown.flatMap(({ id, key: itemKey, done }): InboxItem[] => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const at = kind.timeOf(row);
    return [
      {
        ...{ key: itemKey, kind: kind.kind, done, by: kind.by?.(row) ?? null },
        ...(at !== null && { at }),
        finding: unifiedFinding(row),
      },
    ];
  });
  const [{ open, found: all_count } = { open: 0, found: 0 }] = rows;
  return { count: open, hasMore: all_count > MAX_ROWS, items };
}

export const openedRows = (db: Db, scope: InboxScope): Promise<InboxRows> =>
  rowsOf(db, scope, {
    ...{ kind: 'opened', isRead: true },
    where: sql`deleted_at is null and created_at > ${scope.from}::timestamptz`,
    at: sql`created_at`,
    timeOf: (row) => row.created_at,
  });

export const closedRows = (db: Db, scope: InboxScope): Promise<InboxRows> =>
  rowsOf(db, scope, {
    ...{ kind: 'closed', isRead: true },
    where: sql`deleted_at is not null and deleted_at > ${scope.from}::timestamptz`,
    at: sql`deleted_at`,
    timeOf: (row) => row.deleted_at,
  });

export const assignedRows = (db: Db, scope: InboxScope): Promise<InboxRows> =>
  rowsOf(db, scope, {
    ...{ kind: 'assigned', isRead: false },
    where: sql`deleted_at is null and owner_id = ${scope.user}::uuid`,
    at: sql`assigned_at`,
    // A new assignment makes a new row.
    suffix: sql`':' || floor(extract(epoch from assigned_at))`,
    by: (row) => row.assigned_by,
    timeOf: (row) => row.assigned_at,
  });

/** Overdue findings of other owners or none: those of the user are in `assignedRows`. */
export const overdueRows = (db: Db, scope: InboxScope): Promise<InboxRows> =>
  rowsOf(db, scope, {
    ...{ kind: 'overdue', isRead: false },
    where: sql`deleted_at is null and is_overdue and owner_id is distinct from ${scope.user}::uuid`,
    at: sql`(due::timestamp at time zone 'UTC')`,
    suffix: sql`':' || due`,
    timeOf: () => null,
  });

const SOON_DAYS = 14;

export const expiringRows = (db: Db, scope: InboxScope): Promise<InboxRows> =>
  rowsOf(db, scope, {
    ...{ kind: 'expires', isRead: false },
    where: sql`status = 'accepted' and accepted_until > statement_timestamp()
      and accepted_until <= statement_timestamp() + make_interval(days => ${SOON_DAYS})`,
    at: sql`accepted_until`,
    suffix: sql`':' || floor(extract(epoch from accepted_until))`,
    by: (row) => row.accepted_by,
    timeOf: (row) => row.accepted_until,
  });
