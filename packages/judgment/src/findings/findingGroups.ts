/** Groups findings by shared cause, type or object, with the most urgent finding of each group. Rule: `docs/findings.md#groups`. */

import type { ListQuery } from '@clew/common';
import { type Db, inSnapshot, NO_PLACE } from '@clew/store';
import { type RawBuilder, sql } from 'kysely';
import {
  type FindingRow,
  type FindingScope,
  filteredFindings,
  findingsOfIds,
  UNIFIED_REFERENCES,
} from './findingQueries.ts';
import { repairKeyText, similarKeyText } from './repairKey.ts';

export type Grouping = 'cause' | 'type' | 'object' | 'repair' | 'similar';

export interface FindingGroup {
  readonly key: string;
  readonly count: number;
  /** Types in the group, ascending. */
  readonly findings: readonly string[];
  /** Kinds of the sources, or of the targets for findings without a source, ascending. */
  readonly kinds: readonly string[];
  readonly lead: FindingRow;
  /** Describes the one change that closes the whole group, if the plan has none; only for users who may see everything. */
  readonly repair: string | undefined;
}

/** Hidden ends would show in the key of an object, so the key of the finding's own target replaces it. */
const KEYS: Readonly<Record<Grouping, ReturnType<typeof sql<string>>>> = {
  cause: sql<string>`case when group_id = '' then 'finding ' || id else group_id end`,
  type: sql<string>`finding || ' ' || tag_id`,
  object: sql<string>`environment_id || ' ' || target_id`,
  repair: sql.raw<string>(repairKeyText),
  similar: sql.raw<string>(similarKeyText),
};

/** Larger sets of similar findings are one row; smaller sets have a row per finding. */
const MAX_ALONE = 5;
/** Above this number of findings, each is a row: searching for similar ones takes as long as reading all. */
const MAX_COMPARED = 100_000;

/** @returns the key of a group; for findings with rows of their own, their number */
function keyOf(by: Grouping, all: number): ReturnType<typeof sql<string>> {
  if (by !== 'similar') return sql<string>`shared`;
  if (all > MAX_COMPARED) return sql<string>`id::text`;
  return sql<string>`case when count(*) over (partition by shared) > ${MAX_ALONE} then shared else id::text end`;
}

/** These columns sort before severity: the card of the plan, or the place in the list. */
const FIRST: Partial<Readonly<Record<Grouping, RawBuilder<number>>>> = {
  repair: sql<number>`coalesce(min(plan_card), ${NO_PLACE})`,
  similar: sql<number>`min(place)`,
};

async function numberOf(db: Db, scope: FindingScope, filters: ListQuery['filters']): Promise<number> {
  const { count } = await filteredFindings(db, scope, { filters, sorts: [] }, UNIFIED_REFERENCES)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Most urgent first. */
export function findingGroups(
  db: Db,
  scope: FindingScope,
  filters: ListQuery['filters'],
  { by, skip, limit }: { readonly by: Grouping; readonly skip: number; readonly limit: number },
): Promise<{ readonly count: number; readonly groups: readonly FindingGroup[] }> {
  return inSnapshot(db, async (snapshot) => {
    const found = filteredFindings(snapshot, scope, { filters, sorts: [] }, UNIFIED_REFERENCES).select([
      KEYS[by].as('shared'),
      'id',
      'finding',
      'severity',
      'exposure_percentage',
      'impact_percentage',
      'plan_card',
      'place',
      sql<string>`case when kind = 'list' then target_kind else source_kind end`.as('about_kind'),
    ]);
    const all = by === 'similar' ? await numberOf(snapshot, scope, filters) : 0;
    const chosen = sql`select found.*, ${keyOf(by, all)} as key from (${found}) as found`;
    const { rows: counted } = await sql<{ count: number }>`
      select count(distinct key)::integer as count from (${chosen}) as chosen`.execute(snapshot);
    const { rows } = await sql<{
      key: string;
      count: number;
      findings: string[];
      kinds: string[];
      lead: number;
    }>`
      with chosen as (${chosen}), grouped as (
        select key, count(*)::integer as count, array_agg(distinct finding order by finding) as findings,
          array_agg(distinct about_kind order by about_kind) as kinds,
          (array_agg(id order by ${by === 'similar' ? sql`place, ` : sql``}severity desc, exposure_percentage desc, impact_percentage desc, id))[1] as lead,
          ${FIRST[by] ?? sql`0`} as first
        from chosen group by key)
      select grouped.key, grouped.count, grouped.findings, grouped.kinds, grouped.lead from grouped join chosen on chosen.id = lead
      order by first, severity desc, exposure_percentage desc, impact_percentage desc, lead
      offset ${skip} limit ${limit}`.execute(snapshot);
    const leads = await findingsOfIds(
      snapshot,
      scope.visible,
      rows.map(({ lead }) => lead),
    );
    const byId = new Map(leads.map((row) => [row.id, row]));
    return {
      count: counted[0].count,
      groups: rows.flatMap(({ key, count, findings, kinds, lead: id }) => {
        const lead = byId.get(id);
        if (lead === undefined) return [];
        const isShown = by === 'repair' && scope.visible === null && lead.plan_card === null;
        const repair = isShown ? (lead.plan_repair_title ?? undefined) : undefined;
        return [{ key, count, findings, kinds, lead, repair }];
      }),
    };
  });
}
