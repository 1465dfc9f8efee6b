/** Reads data from the service for commands about findings. */
import type { AlternativesRecord, DomainSelector, Finding, UnifiedFindingRow, UnifiedGraph } from '@clew/api';
import { ApiError, type ClewClient, type PathOptions } from '@clew/client';
import { CommandError } from '../failure.ts';
import { summarizePaths } from '../terminal/drawPath.ts';
import { printable } from '../terminal/text.ts';
import { orRefused } from './orRefused.ts';

export interface FindingFilter {
  /** Name or object id. */
  readonly environment?: string;
  readonly severity?: string;
  readonly type?: string;
  readonly status?: string;
  /** Name or number. */
  readonly zone?: string;
  /** Name of a user, `me`, or `none`. */
  readonly owner?: string;
  readonly overdue?: boolean;
}

/** Most helpful first. */
const URGENCY = ['urgency'];

export async function findingQuery(
  client: ClewClient,
  { environment, severity, type, status, zone, owner, overdue }: FindingFilter,
  signal: AbortSignal,
) {
  const [chosen] = environment === undefined ? [] : await chosenEnvironments(client, environment, signal);
  const { id: tag } = (zone !== undefined && (await chosenZone(client, zone, signal))) || {};
  return {
    sort_by: overdue ? ['due', ...URGENCY] : URGENCY,
    overdue: overdue ? 'eq:true' : undefined,
    asset_group_tag_id: tag === undefined ? undefined : `eq:${tag}`,
    environment_id: chosen && `eq:${chosen.id}`,
    severity: severity && `eq:${severity}`,
    finding: type && `eq:${await chosenType(client, type, signal)}`,
    status: status && `eq:${status}`,
    owner: owner && `eq:${await chosenOwner(client, owner, signal)}`,
  };
}

/** @returns the id of the user with this name; `me` and `none` unchanged */
export async function chosenOwner(client: ClewClient, text: string, signal: AbortSignal): Promise<string> {
  const wanted = text.trim().toLowerCase();
  if (wanted === 'me' || wanted === 'none') return wanted;
  const { data } = await client.call('ListAssignableUsers', {}, { signal });
  const found = data.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
  if (found !== undefined) return found.id;
  const known = data.map(({ name }) => printable(name)).slice(0, 20);
  throw new CommandError(`no user is named ${text}; available: ${known.join(', ') || 'none'}`);
}

/** @returns the environment with this name or id; all collected ones if none is named */
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
      ? `no environment is named ${text}; available: ${known || 'none'}`
      : `several environments are named ${text}; use an object ID`,
  );
}

export interface ChosenZone {
  readonly id: number;
  readonly name: string;
}

/** The zone id of findings without a zone. */
const HYGIENE: ChosenZone = { id: 0, name: 'Hygiene' };

export async function chosenZone(client: ClewClient, text: string, signal: AbortSignal): Promise<ChosenZone> {
  const { data } = await client.call('GetAssetGroupTags', { query: { type: 'eq:1' } }, { signal });
  const zones = [...data.tags, HYGIENE];
  const wanted = text.trim().toUpperCase();
  const found = zones.find(({ id, name }) => name.toUpperCase() === wanted || String(id) === wanted);
  if (found !== undefined) return found;
  throw new CommandError(`no zone is named ${text}; available: ${zones.map(({ name }) => name).join(', ')}`);
}

/** @returns the number of the label with this name or number */
export async function chosenLabel(client: ClewClient, text: string, signal: AbortSignal): Promise<number> {
  const { data } = await client.call('GetAssetGroupTags', { query: { type: 'eq:2' } }, { signal });
  const wanted = text.trim().toUpperCase();
  const found = data.tags.find(({ id, name }) => name.toUpperCase() === wanted || String(id) === wanted);
  if (found !== undefined) return found.id;
  const known = data.tags.map(({ name }) => name).join(', ');
  throw new CommandError(`no label is named ${text}; available: ${known || 'none'}`);
}

/** Otherwise, a mistyped name would look like good news. */
async function chosenType(client: ClewClient, text: string, signal: AbortSignal): Promise<string> {
  const { data } = await client.call('ListAttackPathTypes', {}, { signal });
  const wanted = text.trim().toUpperCase();
  const found = data.find((type) => type.toUpperCase() === wanted);
  if (found !== undefined) return found;
  const alike = data.filter((type) => type.toUpperCase().includes(wanted)).slice(0, 5);
  const hint = alike.length === 0 ? '' : `; available: ${alike.join(', ')}`;
  throw new CommandError(`no finding type is named ${text}${hint}`);
}

/** A finding with all its details. */
export interface Story {
  readonly row: UnifiedFindingRow;
  readonly finding: Finding;
  /**
   * Path over the relationship, and on to the environment if the target can reach it; for a list finding, from its object to the
   * environment, using the object's own rights.
   */
  readonly path: StoryPath | undefined;
  /** A path without rights of everyone, for a list finding whose shortest paths all use them. */
  readonly ownPath?: AlternativePath;
}

export interface StoryPath {
  readonly graph: UnifiedGraph;
  /** Object ids. */
  readonly from: string;
  readonly to: string;
}

export type AlternativePath = AlternativesRecord['paths'][number];

/** @throws CommandError if the finding does not exist */
export async function readStory(client: ClewClient, id: number, signal: AbortSignal): Promise<Story> {
  const query = { id: `eq:${id}`, limit: 1 };
  const { data } = await client.call('ListAttackPathFindings', { query }, { signal });
  const [row] = data;
  if (row === undefined) throw new CommandError(`finding ${id} not found`);
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
  // Archived findings are only listed with a deletion time.
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
  if (finding === undefined) throw new CommandError(`finding ${row.id} changed in the meantime; try again`);
  return {
    row,
    finding,
    ...(isArchived ? { path: undefined } : await readPath(client, row, finding, signal)),
  };
}

async function readPath(
  client: ClewClient,
  row: UnifiedFindingRow,
  finding: Finding,
  signal: AbortSignal,
): Promise<Pick<Story, 'path' | 'ownPath'>> {
  const { source_principal_id: source, target_principal_id: target, environment_id: environment } = row;
  const onward =
    target === environment
      ? undefined
      : await pathBetween(client, target, environment, { onlyTraversable: true, signal });
  if (!('FromPrincipal' in finding)) {
    if (onward === undefined) return { path: undefined };
    const path = ownPath({ graph: onward, from: target, to: environment });
    return path === undefined ? { path, ...(await ownAlternative(client, row, signal)) } : { path };
  }
  // Only over the relationship itself: shorter paths of the source are not part of this finding.
  const kinds = { in: [String(finding.RelProps.kind)] };
  const relation = await pathBetween(client, source, target, { kinds, signal });
  if (relation === undefined) return { path: undefined };
  return {
    path:
      onward === undefined || holds(onward, source)
        ? { graph: relation, from: source, to: target }
        : { graph: joined(relation, onward), from: source, to: environment },
  };
}

/** Id suffixes of groups that contain everyone, or every computer. */
const OF_EVERYBODY = /(?:-S-1-1-0|-S-1-5-11|S-1-5-32-545|-513|-515)$/;

/** Excludes rights of everyone, which are not specific to the object. @returns `undefined` if no path remains */
function ownPath({ graph, from, to }: StoryPath): StoryPath | undefined {
  const own = Object.entries(graph.nodes).filter(
    ([, { objectId }]) => objectId === from || !OF_EVERYBODY.test(objectId),
  );
  const nodes = Object.fromEntries(own);
  const edges = graph.edges.filter(({ source, target }) => source in nodes && target in nodes);
  const keyOf = (id: string): string | undefined => own.find(([, { objectId }]) => objectId === id)?.[0];
  const [start, end] = [keyOf(from), keyOf(to)];
  if (start === undefined || end === undefined) return undefined;
  const path = { graph: { nodes, edges }, from, to };
  return summarizePaths(path.graph, start, end).route.length === 0 ? undefined : path;
}

/** Waits for paths while an organization is being analyzed. */
const WAIT_SECONDS = 600;
/** Maximum number of paths examined to find one of the object's own. */
const ALTERNATIVES = 25;

async function ownAlternative(
  client: ClewClient,
  { target_principal_id: start_node, environment_id: end_node }: UnifiedFindingRow,
  signal: AbortSignal,
): Promise<Pick<Story, 'ownPath'>> {
  try {
    const query = { start_node, end_node, limit: ALTERNATIVES, disjoint: true };
    const { data } = await client.call('GetAlternativePaths', { query }, { signal, wait: WAIT_SECONDS });
    const own = data.paths.find(({ nodes }) =>
      nodes.slice(1).every((each) => !OF_EVERYBODY.test(each.object_id)),
    );
    return own === undefined ? {} : { ownPath: own };
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) return {};
    throw error;
  }
}

const holds = ({ nodes }: UnifiedGraph, objectId: string): boolean =>
  Object.values(nodes).some((node) => node.objectId === objectId);

/** Both answers are from one generation, so their keys agree. */
function joined(first: UnifiedGraph, second: UnifiedGraph): UnifiedGraph {
  return { nodes: { ...first.nodes, ...second.nodes }, edges: [...first.edges, ...second.edges] };
}

/** Neither deleted objects nor those outside the user's access have a path. */
async function pathBetween(client: ClewClient, from: string, to: string, options: PathOptions) {
  try {
    return await orRefused(client.shortestPath(from, to, options));
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

/** @param zone the zone whose findings the text describes @returns markdown */
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

/** Default: Tier Zero. */
export async function zoneQuery(
  client: ClewClient,
  { zone }: { readonly zone?: string },
  signal: AbortSignal,
) {
  return zone === undefined ? {} : { asset_group_tag_id: (await chosenZone(client, zone, signal)).id };
}

/** Findings without a zone have no plan and no posture: those of Tier Zero are used. */
export const rankedZoneQuery = (zone: number | undefined) =>
  zone !== undefined && zone > HYGIENE.id ? { asset_group_tag_id: zone } : {};
