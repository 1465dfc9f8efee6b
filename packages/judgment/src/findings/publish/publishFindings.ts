/**
 * The life of a finding, written in the transaction of its generation:
 *
 *   (none) -found-> active -accepted by a person-> accepted -time is up-> active
 *   active, accepted -not found any more-> remediated
 *   active, accepted -its environment or zone was deleted, or the zone was edited-> orphaned
 *   active, accepted -its type was deleted, or other rules do not find it-> deprecated
 *
 * The last three states are final. If the same problem is found again, it becomes a new finding, later than all before and linked to the
 * old one, so that clients that read from the newest `created_at` see it again; reopening the old record would hide it from them.
 *
 * A finding that ends because the rules changed is deprecated, and one that ends because zones were edited is orphaned, since no one
 * repaired anything. If several of data, rules, zones and answers changed and the cause cannot be determined, the finding is deprecated; so
 * is one that ends with new data of an environment of which a large part was not reported again by files that do not say what their run
 * collected.
 *
 * The subject of a finding (environment, zone, type, source, target) identifies it. `created_at` never changes, and `updated_at` changes
 * only with a visible value.
 *
 * Rule: `docs/findings.md#life-cycle-of-a-finding`.
 */
import { findingTypesOf, HYGIENE_ZONE } from '@clew/analysis';
import { NO_NODE, objectIdOf } from '@clew/graph';
import { type ChangeCause, copyIn, createStaged, halvesOfTime, indexStaged, stagedTable } from '@clew/store';
import type pg from 'pg';
import { changedFindings, type ShownFindings } from './changedFindings.ts';
import { environmentsOf, FindingWriter, STAGE_FINDING, STORE_FINDING } from './findingRows.ts';

export interface PublishedFindings {
  readonly added: number;
  readonly changed: number;
  readonly archived: number;
}

/** Why findings differ from the previous run, and the rules that found them. */
export interface PublishedBy {
  readonly cause: Exclude<ChangeCause, 'acceptance'>;
  readonly rulesVersion: string;
  /** Environments of which a large part was not reported again, by files that do not say what their run collected. */
  readonly doubtful?: readonly string[];
}

export interface Publication {
  /** The analyzed zones. */
  readonly zones: readonly number[];
  readonly instant: string;
  readonly by: PublishedBy;
}

/**
 * @param client in the transaction of the generation
 * @param before the stored findings, if known
 */
export async function publishFindings(
  client: pg.ClientBase,
  findings: ShownFindings,
  options: Publication & { readonly before?: ShownFindings },
): Promise<PublishedFindings> {
  const published = await writeFindings(client, findings, options);
  await client.query(FIND_ROWS);
  await client.query(END_WITH_ROWS, [options.instant]);
  return published;
}

async function writeFindings(
  client: pg.ClientBase,
  findings: ShownFindings,
  { before, ...publication }: Publication & { readonly before?: ShownFindings },
): Promise<PublishedFindings> {
  if (before !== undefined) {
    await client.query('savepoint findings');
    const published = await publishChanges(client, findings, publication, before);
    if (published !== undefined) return published;
    // Something else wrote findings.
    await client.query('rollback to savepoint findings');
  }
  const { rows } = await client.query('select from finding limit 1');
  if (rows.length === 0) return publishNew(client, findings, publication);
  return publishAll(client, findings, publication);
}

/** If no findings are stored, not even archived ones, all are inserted directly, sorted by subject. */
async function publishNew(
  client: pg.ClientBase,
  findings: ShownFindings,
  { instant, by }: Publication,
): Promise<PublishedFindings> {
  const { high, low } = await halvesOfTime(client, instant);
  const writer = new FindingWriter(findings);
  const places = writer.placesByKey();
  await copyIn(client, STORE_FINDING, places.length, (rows, index) => {
    const row = rows
      .begin()
      .status('active')
      .created_at(high, low)
      .updated_at(high, low)
      .began_by(by.cause)
      .changed_by(by.cause)
      .rules_version(by.rulesVersion);
    writer.write(row, places[index]);
  });
  return { added: places.length, changed: 0, archived: 0 };
}

/** Stages all findings, and lets the database find the changed ones. */
async function publishAll(
  client: pg.ClientBase,
  findings: ShownFindings,
  publication: Publication,
): Promise<PublishedFindings> {
  const { found, failed } = findings.result;
  await stageFindings(
    client,
    findings,
    Uint32Array.from({ length: found.count }, (_, at) => at),
  );
  const archived = await client.query(archive(NOT_STAGED), [
    ...archiveValues(findings, publication),
    [...failed.keys()],
  ]);
  return { ...(await writeStaged(client, publication)), archived: archived.rowCount ?? 0 };
}

/** @returns undefined if the store does not contain these findings afterward */
async function publishChanges(
  client: pg.ClientBase,
  findings: ShownFindings,
  publication: Publication,
  before: ShownFindings,
): Promise<PublishedFindings | undefined> {
  const { changed, gone } = changedFindings(before, findings);
  await stageFindings(client, findings, changed);
  await stageGone(client, before, gone);
  const archived = await client.query(archive(IS_GONE), archiveValues(findings, publication));
  const written = await writeStaged(client, publication);
  const { rows } = await client.query<{ count: string }>(COUNT);
  if (Number(rows[0].count) !== findings.result.found.count) return undefined;
  return { ...written, archived: archived.rowCount ?? 0 };
}

/** Values for `archive`. */
const archiveValues = (findings: ShownFindings, { zones, instant, by }: Publication): unknown[] => [
  ...[instant, [HYGIENE_ZONE, ...zones], environmentsOf(findings), by.cause, by.rulesVersion],
  by.doubtful ?? [],
];

async function writeStaged(
  client: pg.ClientBase,
  { instant, by }: Publication,
): Promise<Pick<PublishedFindings, 'added' | 'changed'>> {
  const changed = await client.query(UPDATE, [instant, by.cause, by.rulesVersion]);
  const added = await client.query(INSERT, [instant, by.cause, by.rulesVersion]);
  return { added: added.rowCount ?? 0, changed: changed.rowCount ?? 0 };
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
  'target_environment_id',
  'also_from',
  'exposure_count',
  'exposure_percentage',
  'impact_count',
  'impact_percentage',
  'severity',
  'group_id',
  'exposure_from',
  ...['rated_row', 'rated_basis', 'rated_count', 'rated_of', 'rated_effort', 'part_of', 'parts'],
  'part_of_key',
] as const;

const sameKey = KEY.map((column) => `finding.${column} = staged.${column}`).join(' and ');
const columns = (names: readonly string[], table = 'staged'): string =>
  names.map((name) => `${table}.${name}`).join(', ');

const STAGE_GONE = stagedTable('stage_gone_finding', [
  ['environment_id', 'ctext'],
  ['tag_id', 'int4'],
  ['finding', 'ctext'],
  ['source_id', 'ctext'],
  ['target_id', 'ctext'],
]);

/** Findings of types that could not be computed stay unchanged. */
const NOT_STAGED = {
  from: '',
  where: `finding <> all ($7::text[]) and not exists (select from stage_finding staged where ${sameKey})`,
};

const IS_GONE = { from: 'from stage_gone_finding staged', where: sameKey };

const COUNT = 'select count(*) from finding where deleted_at is null';

const archive = ({ from, where }: { readonly from: string; readonly where: string }): string => `
update finding
set status = case when not exists (select from finding_type where finding_type.id = finding.finding) then 'deprecated'
                  when finding.tag_id <> all ($2::integer[]) or finding.environment_id <> all ($3::text[]) then 'orphaned'
                  when $4 = 'data' and (finding.environment_id = any ($6::text[])
                    or finding.source_environment_id = any ($6::text[])) then 'deprecated'
                  when $4 = 'data' then 'remediated'
                  when $4 = 'zones' then 'orphaned'
                  else 'deprecated' end,
    changed_by = $4, rules_version = $5,
    accepted_until = null, accepted_by = null, accepted_reason = null, accepted_through = null,
    deleted_at = $1, updated_at = $1
${from}
where finding.deleted_at is null and ${where}`;

const UPDATE = `
update finding
set ${SHOWN.map((column) => `${column} = staged.${column}`).join(', ')}, updated_at = $1,
    changed_by = $2, rules_version = $3,
    part_of_id = case when finding.part_of_key = staged.part_of_key then finding.part_of_id end
from stage_finding staged
where ${sameKey} and finding.deleted_at is null
  and (${columns(SHOWN, 'finding')}) is distinct from (${columns(SHOWN)})`;

/** Sorted by subject, so that equal runs assign equal numbers. */
const INSERT = `
insert into finding (${[...KEY, ...SHOWN].join(', ')}, kind, principal_hash, status, previous_id, created_at, updated_at,
  began_by, changed_by, rules_version)
select ${columns([...KEY, ...SHOWN])}, kind, principal_hash, 'active', previous.id, $1, $1, $2, $2, $3
from stage_finding staged
left join lateral (
  select id from finding where ${sameKey} and deleted_at is not null order by deleted_at desc limit 1
) previous on true
where not exists (select from finding where ${sameKey} and finding.deleted_at is null)
order by ${columns(KEY)}`;

/** Parts reference the number of the finding that represents them, which is known after it is stored. */
const FIND_ROWS = `
update finding set part_of_id = lead.id
from (
  select id, part_of_key::jsonb as key from finding
  where part_of_id is null and part_of <> '' and deleted_at is null and part_of_key <> ''
) lost
join finding lead on lead.deleted_at is null and lead.environment_id = lost.key ->> 0
  and lead.tag_id = (lost.key ->> 1)::integer and lead.finding = lost.key ->> 2
  and lead.source_id = lost.key ->> 3 and lead.target_id = lost.key ->> 4
where finding.id = lost.id`;

/** An acceptance given through a row ends with that of the row, for any reason. */
const END_WITH_ROWS = `
update finding set status = 'active', accepted_until = null, accepted_by = null, accepted_reason = null,
  accepted_through = null, due_from = $1, updated_at = $1, changed_by = 'acceptance'
where accepted_through is not null and deleted_at is null and not exists (
  select from finding lead
  where lead.id = finding.accepted_through and lead.deleted_at is null and lead.status = 'accepted')`;

/** @param places findings to stage */
async function stageFindings(
  client: pg.ClientBase,
  findings: ShownFindings,
  places: ArrayLike<number>,
): Promise<void> {
  const writer = new FindingWriter(findings);
  await createStaged(client, STAGE_FINDING);
  await copyIn(client, STAGE_FINDING, places.length, (rows, index) => {
    writer.write(rows.begin(), places[index]);
  });
  await indexStaged(client, STAGE_FINDING, KEY);
}

/** @param places findings that ended */
async function stageGone(
  client: pg.ClientBase,
  findings: ShownFindings,
  places: readonly number[],
): Promise<void> {
  const { graph, result } = findings;
  const { found } = result;
  const environmentIds = environmentsOf(findings);
  const types = findingTypesOf(graph);
  await createStaged(client, STAGE_GONE);
  await copyIn(client, STAGE_GONE, places.length, (rows, index) => {
    const at = places[index];
    const source = found.sources[at];
    rows
      .begin()
      .environment_id(environmentIds[found.environments[at]])
      .tag_id(found.zones[at])
      .finding(types[found.types[at]].id)
      .source_id(source === NO_NODE ? '' : objectIdOf(graph, source))
      .target_id(objectIdOf(graph, found.targets[at]));
  });
  await indexStaged(client, STAGE_GONE, KEY);
}
