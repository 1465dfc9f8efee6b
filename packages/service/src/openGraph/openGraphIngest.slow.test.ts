/** OpenGraph data on the whole way: upload, ingest, generation, export. */
import { buffer } from 'node:stream/consumers';
import type { Generation } from '@clew/generation';
import { type AttackGraph, edgeKindOf, endOf, nameOf, objectIdOf, startOf } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import { edgeKindName, kindNamesOf, queryDataOf } from '@clew/queries';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { forestFiles, generateForest, generateOpenGraph, generateTenant } from '@clew/synthetic';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildGeneration } from '../build/buildGeneration.ts';
import { buildContext } from '../build/testing/builds.ts';
import { exportPieces } from '../explore/export/exportGraph.ts';
import { parseEdgeKindFilter } from '../explore/paths/edgeKindFilter.ts';
import { requestDeletion } from '../housekeeping/deletionRequests.ts';
import { emptyStore } from '../ingest/testing/emptyStore.ts';
import { collection, computerRecord, userRecord } from '../ingest/testing/sharpHound.ts';
import { ingestAll, type TestUpload, upload, zipOf } from '../ingest/testing/uploads.ts';
import { completedTasks } from '../ingest/uploadJobs.ts';
import { jsonStream } from '../operation/jsonStream.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

async function ingest(...files: TestUpload[]): Promise<string[]> {
  const id = await upload(database, ...files);
  await ingestAll(database);
  return (await completedTasks(database.db, id)).flatMap(({ errors }) => errors);
}

async function publish(): Promise<Generation> {
  let made: Generation | undefined;
  await buildGeneration(buildContext(database, (generation) => (made = generation)));
  return made as Generation;
}

function nodesOf(generation: Generation): string[] {
  const { graph } = generation;
  return Array.from({ length: graph.nodeCount }, (_, node) => {
    const environment =
      graph.environmentOf[node] < graph.nodeCount ? objectIdOf(graph, graph.environmentOf[node]) : '';
    const kinds = [...kindNamesOf(queryDataOf(generation), node)].sort().join('+');
    return `${objectIdOf(graph, node)} ${kinds} ${nameOf(graph, node)} ${environment}`;
  });
}

function edgesOf(generation: Generation): string[] {
  const { graph } = generation;
  return Array.from({ length: graph.edgeCount }, (_, edge) => {
    const [start, end] = [startOf(graph, edge), endOf(graph, edge)].map((node) => objectIdOf(graph, node));
    return `${start} -${edgeKindName(generation, edgeKindOf(graph, edge))}-> ${end} ${flagsOf(graph, edge)}`;
  }).sort();
}

function flagsOf(graph: AttackGraph, edge: number): string {
  return Object.entries(EdgeFlag)
    .filter(([, bit]) => (graph.out.flags[edge] & bit) !== 0)
    .map(([name]) => name)
    .join(' ');
}

const person = (id: string, name: string, more: object = {}) => ({
  id,
  kinds: ['Person'],
  properties: { name, ...more },
});
const graphFile = (nodes: readonly object[], edges: readonly object[], metadata?: object): TestUpload => ({
  name: 'graph.json',
  content: { ...(metadata === undefined ? {} : { metadata }), graph: { nodes, edges } },
});

describe('ends of edges', () => {
  test('that properties name are exactly one node, else the edge is refused, reported, and the rest goes on', async () => {
    const nodes = [
      person('1', 'ann', { team: 'red' }),
      person('2', 'bob', { team: 'red' }),
      person('3', 'bob'),
    ];
    const by = (...matchers: (readonly [string, unknown])[]) => ({
      match_by: 'property',
      property_matchers: matchers.map(([key, value]) => ({ key, operator: 'equals', value })),
    });
    const edges = [
      { kind: 'Knows', start: { value: '1' }, end: { match_by: 'name', value: 'Ann' } },
      { kind: 'Knows', start: { value: '1' }, end: { match_by: 'name', value: 'Bob' } },
      { kind: 'Knows', start: { value: '1' }, end: { match_by: 'name', value: 'Nobody' } },
      { kind: 'Knows', start: { value: '1' }, end: by(['name', 'bob'], ['team', 'red']) },
      { kind: 'Knows', start: { value: '1' }, end: { ...by(['team', 'red']), kind: 'Person' } },
      { kind: 'Knows', start: { value: '3' }, end: { ...by(['name', 'ann']), kind: 'Robot' } },
      { kind: 'Knows', start: { value: '3' }, end: { value: '2' } },
    ];
    const errors = await ingest(graphFile(nodes, edges));
    expect(errors).toEqual([
      'object 1: several objects fit the properties an edge names: end of Knows with "name" "BOB"',
      'object 2: no object fits the properties an edge names: end of Knows with "name" "NOBODY"',
      'object 4: several objects fit the properties an edge names: end of Knows with "team" "red"',
      'object 5: no object fits the properties an edge names: end of Knows with "name" "ANN"',
    ]);
    const made = edgesOf(await publish()).map((edge) => edge.trim());
    expect(made).toEqual(['1 -Knows-> 1', '1 -Knows-> 2', '3 -Knows-> 2']);
  });

  test('that are not known become nodes of the source kind and the kind that the end names', async () => {
    const edge = { kind: 'Knows', start: { value: 'a' }, end: { value: 'b', kind: 'Person' } };
    expect(await ingest(graphFile([], [edge], { source_kind: 'Hub' }))).toEqual([]);
    expect(nodesOf(await publish())).toEqual(['A Hub  ', 'B Hub+Person  ']);
  });
});

describe('built-in kinds', () => {
  const COMPUTER = 'S-1-5-21-1-2-3-1104';
  const USER = 'S-1-5-21-1-2-3-1105';

  test('take part in analysis: a member of the administrators of a computer administers it', async () => {
    const member = { kind: 'MemberOfLocalGroup', start: { value: USER }, end: { value: `${COMPUTER}-544` } };
    const errors = await ingest(
      { name: 'computers.json', content: collection('computers', computerRecord(COMPUTER)) },
      { name: 'users.json', content: collection('users', userRecord(USER)) },
      graphFile([], [member]),
    );
    expect(errors).toEqual([]);
    expect(edgesOf(await publish())).toContain(`${USER} -AdminTo-> ${COMPUTER} Derived`);
  });

  test('of Entra ID carry the base kind by which analysis knows them', async () => {
    const node = (id: string, kind: string) => ({
      id,
      kinds: [kind],
      properties: { name: id, tenantid: 'T' },
    });
    const owns = {
      kind: 'AZOwns',
      start: { value: 'u', kind: 'AZUser' },
      end: { value: 'a', kind: 'AZApp' },
    };
    await ingest(graphFile([node('u', 'AZUser'), node('a', 'AZApp')], [owns]));
    const generation = await publish();
    expect(nodesOf(generation)).toEqual(['A AZApp+AZBase A ', 'U AZBase+AZUser U ']);
    expect(edgesOf(generation)).toEqual(['U -AZOwns-> A ']);
  });
});

test('own edge kinds are known, and no path takes them unless asked to', async () => {
  await ingest(
    graphFile([person('1', 'a')], [{ kind: 'Admires', start: { value: '1' }, end: { value: '1' } }]),
  );
  const generation = await publish();
  const [[number]] = [...generation.customEdgeKinds].filter(([, name]) => name === 'Admires');
  expect(parseEdgeKindFilter(generation, undefined, undefined, 'clean').kinds).not.toContain(number);
  expect(parseEdgeKindFilter(generation, 'in:Admires', undefined, 'clean').kinds).toEqual([number]);
  expect(() => parseEdgeKindFilter(generation, 'in:Admires', true, 'clean')).toThrow(
    'no valid edges to traverse',
  );
});

describe('an export', () => {
  async function exported(generation: Generation): Promise<Buffer> {
    const everything = { admitsNode: () => true, admitsEdgeKind: () => true };
    return buffer(jsonStream(exportPieces(database, generation, everything)));
  }

  test('of an organisation, ingested into an empty store, gives the same graph', {
    timeout: 60_000,
  }, async () => {
    const options = { users: 60, seed: 7 };
    const files = [
      ...forestFiles(generateForest(options)),
      generateTenant(options).file,
      generateOpenGraph(options),
    ].map(({ name, text }) => ({ name, content: [...text(() => {})].join('') }));
    expect(await ingest({ name: 'all.zip', content: await zipOf(...files) })).toEqual([]);
    const before = await publish();
    expect(before.customNodeKinds.size).toBeGreaterThan(0);

    const content = await exported(before);
    await requestDeletion(database.db, 'user', {
      allGraph: true,
      sourcelessGraph: false,
      sourceKinds: [],
      relationships: [],
    });
    await ingestAll(database);
    expect((await publish()).graph.nodeCount).toBe(0);
    expect(await ingest({ name: 'export.json', content })).toEqual([]);
    const after = await publish();
    expect(nodesOf(after)).toEqual(nodesOf(before));
    expect(edgesOf(after)).toEqual(edgesOf(before));
  });
});
