/**
 * The life of a finding, written in one transaction with the generation it was found in:
 *
 *   (none) -found-> active -accepted by a person-> accepted -time is up-> active
 *   active, accepted -not found any more-> remediated
 *   active, accepted -its environment or zone is gone-> orphaned
 *   active, accepted -its type is gone-> deprecated
 *
 * The last three are final. When the same thing is found again it becomes a new finding, later than all before and
 * linked to the old one, so that a client which reads on from the newest `created_at` sees it come back; reopening the
 * old record would hide it from such clients.
 *
 * What a finding is about (environment, tag, type, source, target) decides whether it is the same one. `created_at`
 * never changes, and `updated_at` only when something that is shown did.
 *
 * Rule: shared reference `findings.md` 3.10.
 */
import { createHash } from 'node:crypto';
import { FINDING_TYPES, type FindingsResult, HYGIENE_TAG } from '@clew/analysis';
import { type AttackGraph, NO_NODE, nameOf, objectIdOf } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import { copyIn, indexStaged } from '@clew/store';
import type pg from 'pg';
import type { NodeLabels } from '../zones/publishZones.ts';

export interface PublishedFindings {
  readonly added: number;
  readonly changed: number;
  readonly archived: number;
}

/**
 * @param client in the transaction of the generation
 * @param tags zones that were analysed
 */
export async function publishFindings(
  client: pg.ClientBase,
  graph: AttackGraph,
  labels: NodeLabels,
  result: FindingsResult,
  tags: readonly number[],
  instant: string,
): Promise<PublishedFindings> {
  await stageFindings(client, graph, labels, result);
  await indexStaged(client, 'stage_finding', KEY);
  const environments = result.environments.nodes.map((node) => objectIdOf(graph, node));
  const kept = [...result.failed.keys()];
  const archived = await client.query(ARCHIVE, [instant, [HYGIENE_TAG, ...tags], environments, kept]);
  const changed = await client.query(UPDATE, [instant]);
  const added = await client.query(INSERT, [instant]);
  return {
    added: added.rowCount ?? 0,
    changed: changed.rowCount ?? 0,
    archived: archived.rowCount ?? 0,
  };
}

const KEY = ['environment_id', 'tag_id', 'finding', 'source_id', 'target_id'] as const;
const SHOWN = [
  'edge_kind',
  'is_inherited',
  'source_name',
  'source_kind',
  'source_environment_id',
  'target_name',
  'target_kind',
  'also_from',
  'exposure_count',
  'exposure_percentage',
  'impact_count',
  'impact_percentage',
  'severity',
] as const;

const STAGE = `
create temporary table stage_finding (
  environment_id text collate "C" not null, tag_id integer not null, finding text collate "C" not null,
  source_id text collate "C" not null, target_id text collate "C" not null,
  kind text not null, edge_kind smallint, is_inherited boolean not null,
  source_name text not null, source_kind text not null, source_environment_id text,
  target_name text not null, target_kind text not null, also_from text[] not null, principal_hash text not null,
  exposure_count integer not null, exposure_percentage double precision not null,
  impact_count integer not null, impact_percentage double precision not null, severity smallint not null
) on commit drop`;

const sameKey = KEY.map((column) => `finding.${column} = staged.${column}`).join(' and ');
const columns = (names: readonly string[], table = 'staged'): string =>
  names.map((name) => `${table}.${name}`).join(', ');

/** Findings of types that could not be worked out stay as they are. */
const ARCHIVE = `
update finding
set status = case when not exists (select from finding_type where finding_type.id = finding.finding) then 'deprecated'
                  when tag_id <> all ($2::integer[]) or environment_id <> all ($3::text[]) then 'orphaned'
                  else 'remediated' end,
    accepted_until = null, accepted_by = null, deleted_at = $1, updated_at = $1
where deleted_at is null and finding <> all ($4::text[])
  and not exists (select from stage_finding staged where ${sameKey})`;

const UPDATE = `
update finding
set ${SHOWN.map((column) => `${column} = staged.${column}`).join(', ')}, updated_at = $1
from stage_finding staged
where ${sameKey} and finding.deleted_at is null
  and (${columns(SHOWN, 'finding')}) is distinct from (${columns(SHOWN)})`;

/** In the order of what they are about, so that equal runs give equal numbers. */
const INSERT = `
insert into finding (${[...KEY, ...SHOWN].join(', ')}, kind, principal_hash, status, previous_id, created_at, updated_at)
select ${columns([...KEY, ...SHOWN])}, kind, principal_hash, 'active', previous.id, $1, $1
from stage_finding staged
left join (
  select distinct on (${KEY.join(', ')}) id, ${KEY.join(', ')} from finding
  where deleted_at is not null order by ${KEY.join(', ')}, deleted_at desc
) previous using (${KEY.join(', ')})
where not exists (select from finding where ${sameKey} and finding.deleted_at is null)
order by ${columns(KEY)}`;

async function stageFindings(
  client: pg.ClientBase,
  graph: AttackGraph,
  labels: NodeLabels,
  { found, ratings, environments }: FindingsResult,
): Promise<void> {
  await client.query(STAGE);
  const placeOf = environments.nodes.map((node) => objectIdOf(graph, node));
  await copyIn(client, 'stage_finding', found.count, (rows, at) => {
    const type = FINDING_TYPES[found.types[at]];
    const [source, target] = [found.sources[at], found.targets[at]];
    const isListed = source === NO_NODE;
    const sourceId = isListed ? '' : objectIdOf(graph, source);
    const targetId = objectIdOf(graph, target);
    const home = isListed ? NO_NODE : labels.environmentOf(source);
    rows.row(20);
    rows.text(placeOf[found.environments[at]]);
    rows.int4(found.tags[at]);
    rows.text(type.id);
    rows.text(sourceId);
    rows.text(targetId);
    rows.text(type.kind);
    if (isListed) rows.null();
    else rows.int2(found.edgeKinds[at]);
    rows.bool((found.edgeFlags[at] & EdgeFlag.Inherited) !== 0);
    rows.text(isListed ? '' : nameOf(graph, source));
    rows.text(isListed ? '' : labels.kindOf(source));
    if (home === NO_NODE) rows.null();
    else rows.text(objectIdOf(graph, home));
    rows.text(nameOf(graph, target));
    rows.text(labels.kindOf(target));
    rows.textArray((found.alsoFrom.get(at) ?? []).map((group) => objectIdOf(graph, group)));
    rows.text(principalHash(sourceId, targetId));
    rows.int4(ratings.exposureCounts[at]);
    rows.float8(ratings.exposures[at]);
    rows.int4(ratings.impactCounts[at]);
    rows.float8(ratings.impacts[at]);
    rows.int2(ratings.severities[at]);
  });
}

/** A key to search by, no secret: shared reference `findings.md` 3.9. */
export function principalHash(sourceId: string, targetId: string): string {
  return createHash('sha256').update(`${sourceId}\0${targetId}`).digest().subarray(0, 8).toString('base64');
}
