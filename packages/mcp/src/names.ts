/**
 * Resolves names to the ids that the service requires. A name without a match is an error with the nearest names: an empty list
 * would suggest that all is well.
 */
import type { SearchResult } from '@clew/api';
import { ApiError, type ClewClient } from '@clew/client';
import { edgeKindByName, nearestNames, nodeKindByName } from '@clew/model';
import { MissingError, ToolError } from './tool.ts';

/** Maximum number of names in an error. */
const NEAREST = 5;

const same = (a: string, b: string): boolean => a.toUpperCase() === b.trim().toUpperCase();

/** @param argument name of the argument, for errors @returns the id of the environment with that name or id */
export async function environmentId(
  client: ClewClient,
  argument: string,
  given: string,
  signal: AbortSignal,
): Promise<string> {
  const { data } = await client.call('GetAvailableDomains', {}, { signal });
  const found = data.filter(({ id, name }) => same(id, given) || same(name, given));
  if (found.length === 1) return found[0]?.id as string;
  const known = data.slice(0, NEAREST * 4).map(({ name, id }) => `${name} (${id})`);
  throw new ToolError(
    found.length === 0
      ? `${argument}: no environment is named "${given}". Available: ${known.join(', ') || 'none'}. list_environments lists all.`
      : `${argument}: several environments are named "${given}"; give one of the IDs: ${found.map(({ id }) => id).join(', ')}`,
  );
}

/** @returns the finding type with that id or title */
export async function findingType(
  client: ClewClient,
  argument: string,
  given: string,
  signal: AbortSignal,
): Promise<string> {
  const { data } = await client.call('ListAttackPathTypes', {}, { signal });
  const found = data.find((type) => same(type, given));
  if (found !== undefined) return found;
  const alike = nearestNames(given, data);
  throw new ToolError(
    `${argument}: no finding type is named "${given}". Nearest: ${alike.join(', ') || 'none'}. list_findings without it shows types that occur.`,
  );
}

/** @returns the kind of objects with that name, case-insensitive */
export async function nodeKind(
  client: ClewClient,
  argument: string,
  given: string,
  signal: AbortSignal,
): Promise<string> {
  if (nodeKindByName(given) !== undefined) return given;
  const { data } = await client.call('ListKinds', {}, { signal });
  return kindOf(argument, 'kind of objects', given, data.node_kinds);
}

/** @returns the kind of relationships with that name, case-insensitive */
export async function edgeKind(
  client: ClewClient,
  argument: string,
  given: string,
  signal: AbortSignal,
): Promise<string> {
  if (edgeKindByName(given) !== undefined) return given;
  const { data } = await client.call('ListKinds', {}, { signal });
  return kindOf(argument, 'kind of relationships', given, data.relationship_kinds);
}

function kindOf(
  argument: string,
  what: string,
  given: string,
  kinds: readonly { readonly name: string }[],
): string {
  const known = kinds.map(({ name }) => name);
  const found = known.find((name) => same(name, given));
  if (found !== undefined) return found;
  const alike = nearestNames(given, known);
  throw new ToolError(`${argument}: no ${what} is named "${given}". Nearest: ${alike.join(', ') || 'none'}.`);
}

/** @returns the name of the user as the service spells it; the given name if these credentials may not list users */
export async function ownerName(
  client: ClewClient,
  argument: string,
  given: string,
  signal: AbortSignal,
): Promise<string> {
  let names: readonly string[];
  try {
    names = (await client.call('ListAssignableUsers', {}, { signal })).data.map(({ name }) => name);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return given;
    throw error;
  }
  const found = names.find((name) => same(name, given));
  if (found !== undefined) return found;
  const alike = [...nearestNames(given, names), ...names].slice(0, NEAREST);
  throw new ToolError(
    `${argument}: no user who can work on findings is named "${given}". Such users: ${[...new Set(alike)].join(', ') || 'none'}. \`me\` and \`none\` are also accepted.`,
  );
}

/** @returns the object with this id or name, or the only similar one @throws MissingError */
export async function objectOf(
  client: ClewClient,
  argument: string,
  given: string,
  signal: AbortSignal,
): Promise<SearchResult> {
  const wanted = given.trim();
  const hits = await client.search(wanted, { limit: NEAREST + 1, signal });
  const byId = hits.find(({ objectid }) => same(objectid, wanted));
  if (byId !== undefined) return byId;
  const exact = hits.filter(({ name }) => same(name, wanted));
  if (exact.length === 1) return exact[0] as SearchResult;
  const candidates =
    exact.length > 1 ? exact : hits.length > 0 ? hits : await resembling(client, wanted, signal);
  const shown = candidates
    .slice(0, NEAREST)
    .map(({ name, type, objectid }) => `${name} (${type}, ${objectid})`);
  const how = exact.length > 1 ? 'several objects are named' : 'no object is named';
  throw new MissingError(
    `${argument}: ${how} "${given}". ${shown.length === 0 ? 'Nothing resembles it' : `Nearest: ${shown.join(', ')}`}. search_objects finds others by a part of their name.`,
  );
}

/** Objects whose names have the same beginning. */
async function resembling(
  client: ClewClient,
  wanted: string,
  signal: AbortSignal,
): Promise<readonly SearchResult[]> {
  const [local = ''] = wanted.split('@');
  for (const part of [local, local.slice(0, Math.max(3, Math.ceil(local.length / 2)))]) {
    if (part.length < 3) continue;
    const hits = await client.search(part, { limit: NEAREST, signal });
    if (hits.length > 0) return hits;
  }
  return [];
}
