/** What the commands about findings read from the service. */
import type { DomainSelector, Finding, UnifiedFindingRow, UnifiedGraph } from '@clew/api';
import { ApiError, type ClewClient, type PathOptions } from '@clew/client';
import { CommandError } from '../failure.ts';

export interface FindingFilter {
  /** Name or object id. */
  readonly environment?: string;
  readonly severity?: string;
  readonly type?: string;
  readonly status?: string;
  /** Name or number. */
  readonly zone?: string;
}

/** What helps most first. */
const URGENCY = ['urgency'];

export async function findingQuery(
  client: ClewClient,
  { environment, severity, type, status, zone }: FindingFilter,
  signal: AbortSignal,
) {
  const [chosen] = environment === undefined ? [] : await chosenEnvironments(client, environment, signal);
  const { id: tag } = (zone !== undefined && (await chosenZone(client, zone, signal))) || {};
  return {
    sort_by: URGENCY,
    asset_group_tag_id: tag === undefined ? undefined : `eq:${tag}`,
    environment_id: chosen && `eq:${chosen.id}`,
    severity: severity && `eq:${severity}`,
    finding: type && `eq:${await chosenType(client, type, signal)}`,
    status: status && `eq:${status}`,
  };
}

/** @returns the environment of that name or id; all that were collected when none is named. */
export async function chosenEnvironments(
  client: ClewClient,
  text: string | undefined,
  signal: AbortSignal,
): Promise<readonly DomainSelector[]> {
  const { data } = await client.call('GetAvailableDomains', {}, { signal });
  if (text === undefined) return data.filter(({ collected }) => collected);
  const wanted = text.trim().toUpperCase();
  const found = data.filter(({ id, name }) => id === wanted || name.toUpperCase() === wanted);
  if (found.length === 1) return found;
  const known = data.map(({ name }) => name).join(', ');
  throw new CommandError(
    found.length === 0
      ? `no environment is called ${text}; there are: ${known || 'none'}`
      : `${text} is the name of several environments; use an object id`,
  );
}

export interface ChosenZone {
  readonly id: number;
  readonly name: string;
}

/** What findings belong to that belong to no zone. */
const HYGIENE: ChosenZone = { id: 0, name: 'Hygiene' };

export async function chosenZone(client: ClewClient, text: string, signal: AbortSignal): Promise<ChosenZone> {
  const { data } = await client.call('GetAssetGroupTags', { query: { type: 'eq:1' } }, { signal });
  const zones = [...data.tags, HYGIENE];
  const wanted = text.trim().toUpperCase();
  const found = zones.find(({ id, name }) => name.toUpperCase() === wanted || String(id) === wanted);
  if (found !== undefined) return found;
  throw new CommandError(`no zone is called ${text}; there are: ${zones.map(({ name }) => name).join(', ')}`);
}

/** Without this, a name that was mistyped would look like good news. */
async function chosenType(client: ClewClient, text: string, signal: AbortSignal): Promise<string> {
  const { data } = await client.call('ListAttackPathTypes', {}, { signal });
  const wanted = text.trim().toUpperCase();
  const found = data.find((type) => type.toUpperCase() === wanted);
  if (found !== undefined) return found;
  const alike = data.filter((type) => type.toUpperCase().includes(wanted)).slice(0, 5);
  const hint = alike.length === 0 ? '' : `; there are: ${alike.join(', ')}`;
  throw new CommandError(`no finding type is called ${text}${hint}`);
}

/** One finding with all its details. */
export interface Story {
  readonly row: UnifiedFindingRow;
  readonly finding: Finding;
  /**
   * Over the relation, and on to the environment where the target leads there; of a list finding, from its object to the
   * environment.
   */
  readonly path: StoryPath | undefined;
}

export interface StoryPath {
  readonly graph: UnifiedGraph;
  /** Object ids. */
  readonly from: string;
  readonly to: string;
}

/** @throws CommandError when there is no such finding */
export async function readStory(client: ClewClient, id: number, signal: AbortSignal): Promise<Story> {
  const query = { id: `eq:${id}`, limit: 1 };
  const { data } = await client.call('ListAttackPathFindings', { query }, { signal });
  const [row] = data;
  if (row === undefined) throw new CommandError(`there is no finding ${id}`);
  return tellStory(client, row, signal);
}

export async function tellStory(
  client: ClewClient,
  row: UnifiedFindingRow,
  signal: AbortSignal,
): Promise<Story> {
  const query = {
    finding: row.finding,
    id: `eq:${row.id}`,
    asset_group_tag_id: `eq:${row.asset_group_tag_id}`,
  };
  // Archived findings are among those with a time of deletion only.
  const isArchived = !['active', 'accepted'].includes(row.status);
  const { data } = await client.call(
    'ListDomainAttackPathsDetails',
    {
      params: { domain_id: row.environment_id },
      query: isArchived ? { ...query, deleted_at: 'neq:null' } : query,
    },
    { signal },
  );
  const [finding] = data;
  if (finding === undefined) throw new CommandError(`finding ${row.id} has changed meanwhile; try again`);
  return { row, finding, path: isArchived ? undefined : await readPath(client, row, finding, signal) };
}

async function readPath(
  client: ClewClient,
  row: UnifiedFindingRow,
  finding: Finding,
  signal: AbortSignal,
): Promise<StoryPath | undefined> {
  const { source_principal_id: source, target_principal_id: target, environment_id: environment } = row;
  const onward =
    target === environment
      ? undefined
      : await pathBetween(client, target, environment, { onlyTraversable: true, signal });
  if (!('FromPrincipal' in finding)) return onward && { graph: onward, from: target, to: environment };
  // Only over the relation itself: the source may have shorter ways, but they are not what is found here.
  const kinds = { in: [String(finding.RelProps.kind)] };
  const relation = await pathBetween(client, source, target, { kinds, signal });
  if (relation === undefined) return undefined;
  return onward === undefined || holds(onward, source)
    ? { graph: relation, from: source, to: target }
    : { graph: joined(relation, onward), from: source, to: environment };
}

const holds = ({ nodes }: UnifiedGraph, objectId: string): boolean =>
  Object.values(nodes).some((node) => node.objectId === objectId);

/** Both answers name the nodes of one generation, so their keys agree. */
function joined(first: UnifiedGraph, second: UnifiedGraph): UnifiedGraph {
  return { nodes: { ...first.nodes, ...second.nodes }, edges: [...first.edges, ...second.edges] };
}

/** An object that has gone since has no path. */
async function pathBetween(client: ClewClient, from: string, to: string, options: PathOptions) {
  try {
    return await client.shortestPath(from, to, options);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

export type TextName =
  | 'title'
  | 'short_description'
  | 'short_remediation'
  | 'long_remediation'
  | 'references';

/** @param zone whose findings the text is to be about. @returns markdown */
export async function readText(
  client: ClewClient,
  type: string,
  zone: number,
  name: TextName,
  signal: AbortSignal,
): Promise<string> {
  const target = `/api/v2/assets/findings/${encodeURIComponent(type)}/${name}.md?asset_group_tag_id=${zone}`;
  const text = await client.transport.send({ method: 'GET', target, signal }, (response) => response.text());
  return text.trim();
}

export const percent = (fraction: number): string => `${(fraction * 100).toFixed(fraction < 0.1 ? 1 : 0)} %`;

/** Tier Zero where none is named. */
export async function zoneQuery(
  client: ClewClient,
  { zone }: { readonly zone?: string },
  signal: AbortSignal,
) {
  return zone === undefined ? {} : { asset_group_tag_id: (await chosenZone(client, zone, signal)).id };
}

/** Findings of no zone have no plan and no posture of their own: Tier Zero stands in. */
export const rankedZoneQuery = (zone: number | undefined) =>
  zone !== undefined && zone > HYGIENE.id ? { asset_group_tag_id: zone } : {};
