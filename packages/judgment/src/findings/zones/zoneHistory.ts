/** The history of zones: who changed which zone, selector or certification. Kept for 90 days, in addition to the audit log. */

import {
  type Actor,
  type ColumnReferences,
  escapeLike,
  filterConditions,
  type Principal,
  recordSuccess,
  sortOrders,
} from '@clew/common';
import { type AssetGroupHistoryTable, type Db, inSnapshot, SYSTEM_ACTOR } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import type { PagedQuery } from '../findingQueries.ts';

export type ZoneAction =
  | 'CreateTag'
  | 'UpdateTag'
  | 'DeleteTag'
  | 'CreateSelector'
  | 'UpdateSelector'
  | 'DeleteSelector'
  | 'CertifyNodeManual'
  | 'CertifyNodeRevoked'
  | 'AnalysisEnabledTag'
  | 'AnalysisDisabledTag';

export interface ZoneChange {
  readonly action: ZoneAction;
  /** Name of the zone, the selector or the object. */
  readonly target: string;
  readonly zone: number;
  readonly environment?: string | null;
  readonly note?: string | null;
}

const DAYS = 90;

export const FORGET_OLD_HISTORY = `
  delete from asset_group_history where created_at < clock_timestamp() - make_interval(days => ${DAYS})`;

export function actorName({ principal }: Actor): string {
  return principal.kind === 'anonymous' ? SYSTEM_ACTOR : principal.name;
}

function actorEmail(principal: Principal): string | null {
  return principal.kind === 'user' ? principal.email : null;
}

/** Pass the transaction of the change as `db`. */
export async function recordZoneChange(db: Db, actor: Actor, change: ZoneChange): Promise<void> {
  const { action, target, zone, environment = null, note = null } = change;
  await db
    .insertInto('asset_group_history')
    .values({
      actor: actorName(actor),
      email: actorEmail(actor.principal),
      ...{ action, target, note },
      asset_group_tag_id: zone,
      environment_id: environment,
    })
    .execute();
  await sql.raw(FORGET_OLD_HISTORY).execute(db);
  const fields = { target, asset_group_tag_id: zone, ...(note === null ? {} : { note }) };
  await recordSuccess(db, actor, action, fields);
}

export type HistoryRow = Selectable<AssetGroupHistoryTable>;

const NO_REFERENCES: ColumnReferences = {};

/** @param search text contained in any column. Newest first by default */
export function zoneHistory(
  db: Db,
  query: PagedQuery,
  scope: { readonly visible: readonly string[] | null; readonly search?: string },
): Promise<{ count: number; rows: readonly HistoryRow[] }> {
  return inSnapshot(db, async (snapshot) => {
    let chosen = snapshot
      .selectFrom('asset_group_history')
      .where((eb) => eb.and(filterConditions(query.filters, NO_REFERENCES)));
    const { visible, search } = scope;
    if (visible !== null) {
      chosen = chosen.where(
        sql<boolean>`(environment_id is null or environment_id = any (${visible}::text[]))`,
      );
    }
    if (search !== undefined && search !== '') {
      const pattern = `%${escapeLike(search)}%`;
      chosen = chosen.where(
        sql<boolean>`concat_ws(chr(10), actor, email, action, target, note) ilike ${pattern}`,
      );
    }
    const { count } = await chosen
      .select(sql<number>`count(*)::integer`.as('count'))
      .executeTakeFirstOrThrow();
    let page = sortOrders(query.sorts, NO_REFERENCES)
      .reduce((rows, order) => rows.orderBy(order), chosen.selectAll())
      .orderBy('id', 'desc')
      .offset(query.skip);
    if (query.limit > 0) page = page.limit(query.limit);
    return { count, rows: await page.execute() };
  });
}
