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
 * What a finding is about (environment, zone, type, source, target) decides whether it is the same one. `created_at`
 * never changes, and `updated_at` only when something that is shown did.
 *
 * Rule: `docs/findings.md#life-of-a-finding`.
 */
import { createHash } from 'node:crypto';
import {
  causeOf,
  FINDING_TYPES,
  type FindingsResult,
  type ForeignExposure,
  HYGIENE_ZONE,
} from '@clew/analysis';
import { type AttackGraph, NO_NODE, nameOf, objectIdOf } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import { copyIn, createStaged, type ExposureFrom, indexStaged, stagedTable } from '@clew/store';
import type pg from 'pg';
import type { NodeLabels } from '../zones/publishZones.ts';

export interface PublishedFindings {
  readonly added: number;
  readonly changed: number;
  readonly archived: number;
}

/**
 * @param client in the transaction of the generation
 * @param zones zones that were analysed
 */
export async function publishFindings(
  client: pg.ClientBase,
  graph: AttackGraph,
  labels: NodeLabels,
  result: FindingsResult,
  zones: readonly number[],
  instant: string,
): Promise<PublishedFindings> {
  await stageFindings(client, graph, labels, result);
  await indexStaged(client, STAGE_FINDING, KEY);
  const environments = result.environments.nodes.map((node) => objectIdOf(graph, node));
  const kept = [...result.failed.keys()];
  const archived = await client.query(ARCHIVE, [instant, [HYGIENE_ZONE, ...zones], environments, kept]);
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
  'group_id',
  'exposure_from',
] as const;

const STAGE_FINDING = stagedTable('stage_finding', [
  ['environment_id', 'ctext'],
  ['tag_id', 'int4'],
  ['finding', 'ctext'],
  ['source_id', 'ctext'],
  ['target_id', 'ctext'],
  ['kind', 'text'],
  ['edge_kind', 'int2', 'nullable'],
  ['is_inherited', 'bool'],
  ['source_name', 'text'],
  ['source_kind', 'text'],
  ['source_environment_id', 'text', 'nullable'],
  ['target_name', 'text'],
  ['target_kind', 'text'],
  ['also_from', 'textArray'],
  ['principal_hash', 'text'],
  ['exposure_count', 'int4'],
  ['exposure_percentage', 'float8'],
  ['impact_count', 'int4'],
  ['impact_percentage', 'float8'],
  ['severity', 'int2'],
  ['group_id', 'ctext'],
  ['exposure_from', 'jsonb'],
]);

const sameKey = KEY.map((column) => `finding.${column} = staged.${column}`).join(' and ');
const columns = (names: readonly string[], table = 'staged'): string =>
  names.map((name) => `${table}.${name}`).join(', ');

/** Findings of types that could not be worked out stay as they are. */
const ARCHIVE = `
update finding
set status = case when not exists (select from finding_type where finding_type.id = finding.finding) then 'deprecated'
                  when tag_id <> all ($2::integer[]) or environment_id <> all ($3::text[]) then 'orphaned'
                  else 'remediated' end,
    accepted_until = null, accepted_by = null, accepted_reason = null, deleted_at = $1, updated_at = $1
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
  await createStaged(client, STAGE_FINDING);
  const placeOf = environments.nodes.map((node) => objectIdOf(graph, node));
  await copyIn(client, STAGE_FINDING, found.count, (rows, at) => {
    const type = FINDING_TYPES[found.types[at]];
    const [source, target] = [found.sources[at], found.targets[at]];
    const isListed = source === NO_NODE;
    const sourceId = isListed ? '' : objectIdOf(graph, source);
    const targetId = objectIdOf(graph, target);
    const home = isListed ? NO_NODE : labels.environmentOf(source);
    rows
      .begin()
      .environment_id(placeOf[found.environments[at]])
      .tag_id(found.zones[at])
      .finding(type.id)
      .source_id(sourceId)
      .target_id(targetId)
      .kind(type.kind)
      .edge_kind(isListed ? null : found.edgeKinds[at])
      .is_inherited((found.edgeFlags[at] & EdgeFlag.Inherited) !== 0)
      .source_name(isListed ? '' : nameOf(graph, source) || sourceId)
      .source_kind(isListed ? '' : labels.kindOf(source))
      .source_environment_id(home === NO_NODE ? null : objectIdOf(graph, home))
      .target_name(nameOf(graph, target) || targetId)
      .target_kind(labels.kindOf(target))
      .also_from((found.alsoFrom.get(at) ?? []).map((group) => objectIdOf(graph, group)))
      .principal_hash(principalHash(sourceId, targetId))
      .exposure_count(ratings.exposureCounts[at])
      .exposure_percentage(ratings.exposures[at])
      .impact_count(ratings.impactCounts[at])
      .impact_percentage(ratings.impacts[at])
      .severity(ratings.severities[at])
      .group_id(
        groupId(
          placeOf[found.environments[at]],
          sourceId,
          targetId,
          causeOf(found.types[at], found.edgeKinds[at]),
        ),
      )
      .exposure_from(JSON.stringify(exposureFrom(ratings.foreign.get(at), placeOf)));
  });
}

export function exposureFrom(
  foreign: readonly ForeignExposure[] | undefined,
  environmentIds: readonly string[],
): ExposureFrom[] {
  return (foreign ?? []).map(({ environment, count, share }) => ({
    ...{ environment_id: environmentIds[environment], count, percentage: share },
  }));
}

/** Rule: `docs/findings.md#groups`. */
function groupId(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);
}

/** A key to search by, no secret: `docs/findings.md#life-of-a-finding`. */
export function principalHash(sourceId: string, targetId: string): string {
  return createHash('sha256').update(`${sourceId}\0${targetId}`).digest().subarray(0, 8).toString('base64');
}
