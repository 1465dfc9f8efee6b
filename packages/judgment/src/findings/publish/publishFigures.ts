/**
 * Writes the figures of a run: risk of each type, posture and completeness of each environment. A type whose last finding ended gets one
 * final row.
 */
import type { FindingsResult } from '@clew/analysis';
import { findingTypesOf } from '@clew/analysis';
import { type AttackGraph, hasKind, nameOf, objectIdOf } from '@clew/graph';
import { NodeKind } from '@clew/model';
import type pg from 'pg';
import { exposureFrom } from './findingRows.ts';

/** Days for which the figures of every run are kept; for older days only the last run is kept. */
const FULL_DAYS = 31;

export interface RunRecord {
  readonly generation: number;
  readonly instant: string;
  readonly isPartial: boolean;
  readonly report: object;
}

/** @param client in the transaction of the generation */
export async function publishFigures(
  client: pg.ClientBase,
  graph: AttackGraph,
  result: FindingsResult,
  { generation, instant, isPartial, report }: RunRecord,
): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    'insert into finding_run (generation_id, published_at, is_partial, report) values ($1, $2, $3, $4) returning id',
    [generation, instant, isPartial, JSON.stringify(report)],
  );
  const run = rows[0].id;
  const ids = result.environments.nodes.map((node) => objectIdOf(graph, node));
  await client.query(RISKS, [run, instant, JSON.stringify(riskRows(graph, result, ids))]);
  await client.query(VANISHED, [run, instant]);
  await client.query(POSTURES, [run, instant, JSON.stringify(postureRows(result, ids))]);
  await client.query(ENVIRONMENTS, [run, instant, JSON.stringify(environmentRows(graph, result, ids))]);
  await client.query(FORGET, [instant]);
}

function riskRows(graph: AttackGraph, { risks }: FindingsResult, ids: readonly string[]): object[] {
  const types = findingTypesOf(graph);
  return risks.map((risk) => ({
    environment_id: ids[risk.environment],
    tag_id: risk.zone,
    finding: types[risk.type].id,
    composite_risk: risk.compositeRisk,
    finding_count: risk.findingCount,
    impacted_asset_count: risk.impactedAssets,
    exposure_count: risk.exposureCount,
    impact_count: risk.impactCount,
  }));
}

function postureRows({ postures }: FindingsResult, ids: readonly string[]): object[] {
  return postures.map((posture) => ({
    environment_id: ids[posture.environment],
    tag_id: posture.zone,
    exposure_index: posture.exposureIndex,
    tier_zero_count: posture.memberCount,
    critical_risk_count: posture.criticalCount,
    finding_count: posture.findingCount,
    attack_path_count: posture.attackPathCount,
    principal_count: posture.principalCount,
    exposure_from: exposureFrom(posture.foreign, ids),
  }));
}

function environmentRows(
  graph: AttackGraph,
  { completeness, environments }: FindingsResult,
  ids: readonly string[],
): object[] {
  return completeness.map(({ environment, active, sessions, localGroups }) => {
    const node = environments.nodes[environment];
    return {
      environment_id: ids[environment],
      environment_name: nameOf(graph, node) || ids[environment],
      platform: platformOf(graph, node),
      active_computers: active,
      session_computers: sessions,
      group_computers: localGroups,
    };
  });
}

function platformOf(graph: AttackGraph, environment: number): string {
  if (hasKind(graph, environment, NodeKind.AZTenant)) return 'azure';
  return hasKind(graph, environment, NodeKind.Domain) ? 'ad' : 'other';
}

const RISKS = `
insert into risk_count
  (run_id, environment_id, tag_id, finding, composite_risk, finding_count, impacted_asset_count, exposure_count,
   impact_count, created_at, updated_at)
select $1, given.*, $2, $2
from jsonb_to_recordset($3::jsonb) as given
  (environment_id text, tag_id integer, finding text, composite_risk double precision, finding_count integer,
   impacted_asset_count integer, exposure_count bigint, impact_count bigint)
order by environment_id, tag_id, finding`;

const VANISHED = `
insert into risk_count
  (run_id, environment_id, tag_id, finding, composite_risk, finding_count, impacted_asset_count, exposure_count,
   impact_count, created_at, updated_at)
select $1, environment_id, tag_id, finding, 0, 0, 0, 0, 0, $2, $2
from risk_count before
where run_id = (select max(id) from finding_run where id < $1) and finding_count > 0
  and not exists (
    select from risk_count now
    where now.run_id = $1 and now.environment_id = before.environment_id and now.tag_id = before.tag_id
      and now.finding = before.finding)
order by environment_id, tag_id, finding`;

const POSTURES = `
insert into posture_stat
  (run_id, environment_id, tag_id, exposure_index, tier_zero_count, critical_risk_count, finding_count,
   attack_path_count, principal_count, exposure_from, created_at, updated_at)
select $1, given.*, $2, $2
from jsonb_to_recordset($3::jsonb) as given
  (environment_id text, tag_id integer, exposure_index double precision, tier_zero_count bigint,
   critical_risk_count integer, finding_count integer, attack_path_count bigint, principal_count bigint,
   exposure_from jsonb)
order by environment_id, tag_id`;

const ENVIRONMENTS = `
insert into environment_stat
  (run_id, environment_id, environment_name, platform, active_computers, session_computers, group_computers, created_at)
select $1, given.*, $2
from jsonb_to_recordset($3::jsonb) as given
  (environment_id text, environment_name text, platform text, active_computers integer, session_computers integer,
   group_computers integer)`;

const FORGET = `
delete from finding_run old
where published_at < $1::timestamptz - interval '${FULL_DAYS} days'
  and exists (
    select from finding_run later
    where later.id > old.id
      and date_trunc('day', later.published_at) = date_trunc('day', old.published_at))`;
