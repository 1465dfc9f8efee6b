/** What the commands about findings read from the service. */
import type { DomainSelector, Finding, UnifiedFindingRow, UnifiedGraph } from '@clew/api';
import { ApiError, type ClewClient } from '@clew/client';
import { CommandError } from '../failure.ts';

export interface FindingFilter {
  /** Name or object id. */
  readonly environment?: string;
  readonly severity?: string;
  readonly type?: string;
  readonly status?: string;
}

/** Most urgent first. */
const URGENCY = ['-severity', '-exposure_percentage', '-impact_percentage'];

export async function findingQuery(
  client: ClewClient,
  { environment, severity, type, status }: FindingFilter,
  signal: AbortSignal,
) {
  const [chosen] = environment === undefined ? [] : await chosenEnvironments(client, environment, signal);
  return {
    sort_by: URGENCY,
    environment_id: chosen && `eq:${chosen.id}`,
    severity: severity && `eq:${severity}`,
    finding: type && `eq:${type}`,
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

/** One finding with all there is to tell of it. */
export interface Story {
  readonly row: UnifiedFindingRow;
  readonly finding: Finding;
  /** A way from who holds the relation, or from the object, to the environment; else the relation itself. */
  readonly path: { readonly graph: UnifiedGraph; readonly from: string; readonly to: string } | undefined;
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
  return { row, finding, path: isArchived ? undefined : await readPath(client, row, signal) };
}

async function readPath(
  client: ClewClient,
  row: UnifiedFindingRow,
  signal: AbortSignal,
): Promise<Story['path']> {
  const from = row.finding_type === 'relationship' ? row.source_principal_id : row.target_principal_id;
  for (const to of [row.environment_id, row.target_principal_id]) {
    if (to === from) continue;
    const graph = await pathBetween(client, from, to, signal);
    if (graph !== undefined) return { graph, from, to };
  }
  return undefined;
}

/** An object that has gone since has no path. */
async function pathBetween(client: ClewClient, from: string, to: string, signal: AbortSignal) {
  try {
    return await client.shortestPath(from, to, { onlyTraversable: true, signal });
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

/** @returns markdown */
export async function readText(
  client: ClewClient,
  type: string,
  name: TextName,
  signal: AbortSignal,
): Promise<string> {
  const target = `/api/v2/assets/findings/${encodeURIComponent(type)}/${name}.md`;
  const text = await client.transport.send({ method: 'GET', target, signal }, (response) => response.text());
  return text.trim();
}

export const percent = (fraction: number): string => `${(fraction * 100).toFixed(fraction < 0.1 ? 1 : 0)} %`;
