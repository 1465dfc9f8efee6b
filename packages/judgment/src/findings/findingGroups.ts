/**
 * Groups findings by shared cause, type or object, with the most urgent of each. Rule: `docs/findings.md#groups`.
 */

import type { ListQuery } from '@clew/common';
import { type Db, inSnapshot, NO_PLACE } from '@clew/store';
import { sql } from 'kysely';
import {
  type FindingRow,
  type FindingScope,
  filteredFindings,
  findingsOfIds,
  UNIFIED_REFERENCES,
} from './findingQueries.ts';

export type Grouping = 'cause' | 'type' | 'object' | 'repair';

export interface FindingGroup {
  readonly key: string;
  readonly count: number;
  /** Types that occur, ascending. */
  readonly findings: readonly string[];
  readonly lead: FindingRow;
  /** Describes the one change that closes them all, where the plan has none; for users who may see all. */
  readonly repair: string | undefined;
}

/**
 * Key of the changes that one person makes in one step: the work package of the plan that closes it; else the one change that
 * closes several; else the rights of one type that a principal holds, or one setting of the objects of an environment. Until
 * there is a plan, paths over certificate services into one domain are one: one template or setting closes most of them.
 */
export const repairKeyText = `case when plan_package is not null then 'repair ' || plan_card || ' ' || plan_package
  when plan_repair is not null then 'change ' || plan_repair
  when kind = 'list' then 'setting ' || finding || ' ' || environment_id
  when plan_open is null and finding like '%ADCSESC%' then 'certificates ' || finding || ' ' || environment_id
  else 'rights ' || finding || ' ' || source_id end`;

/** Hidden ends would show in the key of an object: the key of the finding's own target replaces it. */
const KEYS: Readonly<Record<Grouping, ReturnType<typeof sql<string>>>> = {
  cause: sql<string>`case when group_id = '' then 'finding ' || id else group_id end`,
  type: sql<string>`finding || ' ' || tag_id`,
  object: sql<string>`environment_id || ' ' || target_id`,
  repair: sql.raw<string>(repairKeyText),
};

/** Most urgent first. */
export function findingGroups(
  db: Db,
  scope: FindingScope,
  filters: ListQuery['filters'],
  { by, skip, limit }: { readonly by: Grouping; readonly skip: number; readonly limit: number },
): Promise<{ readonly count: number; readonly groups: readonly FindingGroup[] }> {
  return inSnapshot(db, async (snapshot) => {
    const chosen = filteredFindings(snapshot, scope, { filters, sorts: [] }, UNIFIED_REFERENCES).select([
      KEYS[by].as('key'),
      'id',
      'finding',
      'severity',
      'exposure_percentage',
      'impact_percentage',
      'plan_card',
      'place',
    ]);
    const { rows: counted } = await sql<{ count: number }>`
      select count(distinct key)::integer as count from (${chosen}) as chosen`.execute(snapshot);
    const { rows } = await sql<{
      key: string;
      count: number;
      findings: string[];
      lead: number;
    }>`
      with chosen as (${chosen}), grouped as (
        select key, count(*)::integer as count, array_agg(distinct finding order by finding) as findings,
          (array_agg(id order by severity desc, exposure_percentage desc, impact_percentage desc, id))[1] as lead,
          ${by === 'repair' ? sql`coalesce(min(plan_card), ${NO_PLACE})` : sql`0`} as card
        from chosen group by key)
      select grouped.key, grouped.count, grouped.findings, grouped.lead from grouped join chosen on chosen.id = lead
      order by card, severity desc, exposure_percentage desc, impact_percentage desc, lead
      offset ${skip} limit ${limit}`.execute(snapshot);
    const leads = await findingsOfIds(
      snapshot,
      scope.visible,
      rows.map(({ lead }) => lead),
    );
    const byId = new Map(leads.map((row) => [row.id, row]));
    return {
      count: counted[0].count,
      groups: rows.flatMap(({ key, count, findings, lead: id }) => {
        const lead = byId.get(id);
        if (lead === undefined) return [];
        const isShown = by === 'repair' && scope.visible === null && lead.plan_card === null;
        const repair = isShown ? (lead.plan_repair_title ?? undefined) : undefined;
        return [{ key, count, findings, lead, repair }];
      }),
    };
  });
}
