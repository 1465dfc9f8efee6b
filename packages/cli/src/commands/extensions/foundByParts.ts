/** Queries a service for everything that an entry of a definition finds, for tests of bundles. */
import type { ClewClient } from '@clew/client';
import type { Expectation } from '@clew/service';

export interface Found {
  /** `A` for an object, `A -> B` for a relationship or its finding, the number for a row of a search. */
  readonly id: string;
  /** Names in the same form; empty for rows. */
  readonly name: string;
}

/** Maximum number of rows that a test compares. */
const MAX_ROWS = 10_000;
/** Page size for the objects of a rule. */
const PAGE = 1000;

/** @returns each object, relationship or row once @throws the errors of the service */
export async function foundBy(
  client: ClewClient,
  expectation: Pick<Expectation, 'part' | 'name'>,
  signal: AbortSignal | undefined,
): Promise<readonly Found[]> {
  const { part, name } = expectation;
  switch (part) {
    case 'derived_relationships':
    case 'identities':
      return rowsOf(
        client,
        `MATCH (a)-[:${name}]->(b) RETURN a.objectid, a.name, b.objectid, b.name`,
        ([a, ofA, b, ofB]) => ({ id: `${a} -> ${b}`, name: `${ofA ?? a} -> ${ofB ?? b}` }),
        signal,
      );
    case 'node_findings':
    case 'relationship_findings':
      return findingsOf(client, name, signal);
    case 'privilege_zone_rules':
      return membersOf(client, name, signal);
    case 'saved_searches': {
      const { data } = await client.call(
        'ListSavedQueries',
        { query: { scope: 'all', limit: PAGE } },
        { signal },
      );
      const query = data.find((one) => one.name === name)?.query as string;
      return rowsOf(client, query, (_, at) => ({ id: String(at + 1), name: '' }), signal);
    }
  }
}

async function rowsOf(
  client: ClewClient,
  query: string,
  foundOf: (row: readonly unknown[], at: number) => Found,
  signal: AbortSignal | undefined,
): Promise<Found[]> {
  const { data } = await client.call('RunCypherQuery', { body: { query, rows: true } }, { signal });
  const found = (data.rows ?? []).slice(0, MAX_ROWS).map(foundOf);
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

async function findingsOf(
  client: ClewClient,
  type: string,
  signal: AbortSignal | undefined,
): Promise<Found[]> {
  const found: Found[] = [];
  for (;;) {
    const query = { finding: `eq:${type}`, skip: found.length, limit: PAGE };
    const { data } = await client.call('ListAttackPathFindings', { query }, { signal });
    for (const one of data) {
      const isList = one.finding_type === 'list';
      const from = isList ? '' : `${one.source_principal_id} -> `;
      const named = isList ? '' : `${one.source_principal_name} -> `;
      found.push({ id: `${from}${one.target_principal_id}`, name: `${named}${one.target_principal_name}` });
    }
    if (data.length < PAGE) return found;
  }
}

/** The objects that a zone rule itself selects. */
async function membersOf(
  client: ClewClient,
  rule: string,
  signal: AbortSignal | undefined,
): Promise<Found[]> {
  const { data } = await client.call('GetAssetGroupTags', { query: {} }, { signal });
  for (const { id } of data.tags) {
    const params = { asset_group_tag_id: id };
    const { data: known } = await client.call(
      'GetAssetGroupTagSelectors',
      { params, query: { limit: PAGE } },
      { signal },
    );
    const selector = known.selectors.find(({ name }) => name === rule);
    const [seed] = selector?.seeds ?? [];
    if (seed === undefined) continue;
    // Only objects of the query, without containers or groups that a zone adds.
    const body = { seeds: [{ type: seed.type, value: seed.value }], expansion: 0 };
    const { data: selected } = await client.call('PreviewSelectors', { body }, { signal });
    return selected.members.map(({ object_id, name }) => ({ id: object_id, name }));
  }
  return [];
}
