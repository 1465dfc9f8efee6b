/** Tests that a build of changes gives the same result as a complete build, whatever was written in between. */

import type { AnalysisContext } from '@clew/analysis';
import { loadFacts } from '@clew/explore';
import type { Generation, GenerationFacts } from '@clew/generation';
import { EdgeProperties, NodeProperties, nameOf, objectIdOf } from '@clew/graph';
import { described, edge, edgeSet, emptyStore, mergeRecords, record } from '@clew/intake/testing';
import { readScannedComputers } from '@clew/judgment';
import { Aspect, type EdgeFact, EdgeKind, type Properties } from '@clew/model';
import { PLAN_PROPERTIES } from '@clew/plans';
import { type Database, typeParsers } from '@clew/store';
import { silentLog, startTestDatabase } from '@clew/store/testing';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildContext } from '../../test/generations/builds.ts';
import { derivedEdges } from '../../test/generations/derivedEdges.ts';
import { buildGeneration } from './buildGeneration.ts';
import { KnownRows } from './known/knownRows.ts';
import type { LoadedGraph } from './loadedGraph.ts';
import { loadGraph } from './loadGraph.ts';
import type { LoadOptions } from './loadOptions.ts';
import { loadPublished } from './loadPublished.ts';
import type { BuildContext } from './step.ts';

const RUNS = 2 * Number(process.env.CLEW_TEST_RUNS ?? 1);

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

const OPTIONS: LoadOptions = {
  derived: false,
  nodeProperties: ['enabled', 'name', 'sidhistory', 'whencreated'],
  edgeProperties: { keys: ['weight'], kinds: new Set([EdgeKind.GenericAll]) },
};

async function load(known?: KnownRows): Promise<LoadedGraph> {
  const client = new pg.Client({ ...database.connection, types: typeParsers });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    return await loadGraph(client, { ...OPTIONS, known });
  } finally {
    await client.end();
  }
}

const DOMAIN = 'S-1-5-21-1';
const VAULT = '/SUBSCRIPTIONS/1/VAULTS/V';
const OTHER_DOMAIN = 'S-1-5-21-2';
const AUTHORITY = 'A0000000-0000-0000-0000-000000000001';
/** Computers that the authority may run on. */
const HOSTS = [`${DOMAIN}-3001`, `${DOMAIN}-3002`];
const idOf = (user: number): string => `${DOMAIN}-${user}`;

/** One change of the store, by an ingest or without it. */
type Change =
  | { readonly does: 'describe'; readonly user: number; readonly value: number }
  | { readonly does: 'control'; readonly user: number; readonly by: readonly number[] }
  | { readonly does: 'delete'; readonly what: 'node' | 'edge_set'; readonly user: number }
  | { readonly does: 'mark'; readonly user: number }
  | { readonly does: 'strip'; readonly user: number }
  | { readonly does: 'session'; readonly user: number; readonly by: number }
  | { readonly does: 'vault'; readonly byRoles: boolean }
  | { readonly does: 'host'; readonly host: string | null }
  | { readonly does: 'trust'; readonly isThere: boolean };

/** Some users that `fill` created, and some that are added and deleted. */
const user = fc.integer({ min: 1994, max: 2011 });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ does: fc.constant('describe' as const), user, value: fc.nat(3) }),
  fc.record({ does: fc.constant('control' as const), user, by: fc.uniqueArray(user, { maxLength: 3 }) }),
  fc.record({
    does: fc.constant('delete' as const),
    what: fc.constantFrom('node' as const, 'edge_set' as const),
    user,
  }),
  fc.record({ does: fc.constant('mark' as const), user }),
  fc.record({ does: fc.constant('strip' as const), user }),
  fc.record({ does: fc.constant('session' as const), user, by: user }),
  fc.record({ does: fc.constant('vault' as const), byRoles: fc.boolean() }),
  fc.record({ does: fc.constant('host' as const), host: fc.constantFrom(...HOSTS, 'OTHER', null) }),
  fc.record({ does: fc.constant('trust' as const), isThere: fc.boolean() }),
);

/** Every other edge has a weight; every third edge is one from which analysis derives another. */
function control(by: number, of: number): EdgeFact {
  const kind = (by + of) % 3 === 0 ? 'OwnsRaw' : 'GenericAll';
  const properties = (by + of) % 2 === 0 ? { properties: { weight: by } } : {};
  return edge(`${idOf(by)} -${kind}-> ${idOf(of)}`, properties);
}

const nameOfHost = (host: string): string => `${host}.CORP.LOCAL`;

let day = 1;

async function apply(made: Change): Promise<void> {
  if (made.does === 'host') {
    await database.pool.query(
      `update node set properties = jsonb_strip_nulls(
         properties || jsonb_build_object('hostunresolved', $2::text is not null, 'dnshostname', $2::text))
       where id = (select id from object_id where object_id = $1)`,
      [AUTHORITY, made.host === null ? null : nameOfHost(made.host)],
    );
    return;
  }
  if (made.does === 'trust') {
    const trusts = made.isThere ? [edge(`${DOMAIN} -CrossForestTrust-> ${OTHER_DOMAIN}`)] : [];
    await mergeRecords(
      database,
      1 + (day++ % 28),
      record([described(DOMAIN, 'Domain')], [edgeSet(DOMAIN, 'trusts', trusts)]),
    );
    return;
  }
  if (made.does === 'vault') {
    await database.pool.query(
      `update node set properties = jsonb_build_object('enablerbacauthorization', $2::boolean)
      where id = (select id from object_id where object_id = $1)`,
      [VAULT, made.byRoles],
    );
    return;
  }
  const id = idOf(made.user);
  const ownId = '(select id from object_id where object_id = $1)';
  if (made.does === 'describe') {
    const values: readonly Properties[] = [
      { enabled: true },
      { enabled: 'yes' },
      { sidhistory: ['a'] },
      { whencreated: 7 },
    ];
    await mergeRecords(database, 1 + (day++ % 28), record([described(id, 'User', values[made.value])]));
  } else if (made.does === 'control') {
    const edges = made.by.map((by) => control(by, made.user));
    await mergeRecords(
      database,
      1 + (day++ % 28),
      record([described(id, 'User')], [edgeSet(id, 'acl', edges)]),
    );
  } else if (made.does === 'session') {
    const sample = `(select id from object_id where object_id = $1), ${EdgeKind.HasSession}, (select id from object_id where object_id = $2)`;
    const { rowCount } = await database.pool.query(
      `delete from sample_edge where (start_id, kind_id, end_id) = (${sample})`,
      [id, idOf(made.by)],
    );
    if (rowCount === 0)
      await database.pool.query(
        `insert into sample_edge (start_id, kind_id, end_id, source_id, owner_id, flags, first_seen, last_seen)
         select start_id, kind_id, end_id, 1, start_id, 0, now(), now()
         from (select ${sample}) as one (start_id, kind_id, end_id) where start_id is not null and end_id is not null`,
        [id, idOf(made.by)],
      );
  } else if (made.does === 'strip') {
    await database.pool.query(`update node set properties = '{}' where id = ${ownId}`, [id]);
  } else if (made.does === 'mark') {
    await database.pool.query(`update node set deleted_at = now() where id = ${ownId}`, [id]);
  } else {
    const column = made.what === 'node' ? 'id' : 'owner_id';
    await database.pool.query(`delete from ${made.what} where ${column} = ${ownId}`, [id]);
  }
}

/** Enough users that a few changes are a small share. */
async function fill(): Promise<void> {
  const users = Array.from({ length: 120 }, (_, at) =>
    record(
      [described(idOf(2000 + at), 'User', { enabled: at % 2 === 0 })],
      [edgeSet(idOf(2000 + at), 'acl', [control(2000 + ((at * 7) % 120), 2000 + at)])],
    ),
  );
  const domain = record([described(DOMAIN, 'Domain', { collected: true, name: 'CORP.LOCAL' })]);
  const holders = Array.from({ length: 20 }, (_, at) => edge(`${idOf(1996 + at)} -AZGetSecrets-> ${VAULT}`));
  const vault = record([described(VAULT, 'AZKeyVault')], [edgeSet(VAULT, 'acl', holders)]);
  await mergeRecords(database, 1, domain, vault, ...users);
  const own = { domainsid: DOMAIN };
  await mergeRecords(
    database,
    2,
    record([
      described(AUTHORITY, 'EnterpriseCA', own),
      ...HOSTS.map((host) => described(host, 'Computer', { ...own, name: nameOfHost(host) })),
      described(OTHER_DOMAIN, 'Domain', { collected: true, name: 'OTHER.LOCAL' }),
      described('CORP.LOCAL-S-1-5-11', 'Group', own),
      described('OTHER.LOCAL-S-1-5-11', 'Group', { domainsid: OTHER_DOMAIN }),
    ]),
    record(
      [described(HOSTS[0], 'Computer', own)],
      [edgeSet(HOSTS[0], 'sessions', [edge(`${HOSTS[0]} -HasSession-> ${idOf(2001)}`)])],
    ),
  );
}

function shownEdgeProperties(properties: EdgeProperties): string[] {
  const found: string[] = [];
  properties.forEach((start, kind, end, some) => {
    found.push(`${start} ${kind} ${end} ${JSON.stringify(some)}`);
  });
  return found.sort();
}

const shown = ({ graph, nodeProperties, edgeProperties, ...rest }: LoadedGraph) => ({
  ...rest,
  load: undefined,
  change: undefined,
  counter: undefined,
  texts: Array.from({ length: graph.nodeCount }, (_, node) => [objectIdOf(graph, node), nameOf(graph, node)]),
  edgeProperties: shownEdgeProperties(edgeProperties),
  counts: rest.counter.finish(graph, { nodes: rest.customNodeKinds, edges: rest.customEdgeKinds }),
  graph,
  properties: Array.from({ length: graph.nodeCount }, (_, node) => nodeProperties.of(node)),
});

it('loads the same as a complete load', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 4 }), async (rounds) => {
      await emptyStore(database);
      await fill();
      const known = new KnownRows();
      await load(known);
      for (const changes of rounds) {
        for (const one of changes) await apply(one);
        const loaded = await load(known);
        expect(shown(loaded)).toEqual(shown(await load()));
        // Nodes that are deleted permanently leave no trace.
        if (changes.some((one) => one.does === 'delete' && one.what === 'node')) continue;
        expect(loaded.change?.since).toBe(loaded.load - 1);
      }
    }),
    { numRuns: 2 * RUNS },
  );
});

it('keeps rows only for loads that read the same columns', async () => {
  await fill();
  const known = new KnownRows();
  await load(known);
  const client = new pg.Client({ ...database.connection, types: typeParsers });
  await client.connect();
  await client.query('begin isolation level repeatable read read only');
  expect(await known.begin(client, 'another recipe', 'true')).toBeUndefined();
  expect([known.nodes.count, known.sets.count]).toEqual([0, 0]);
  await client.end();
});

it('reads only rows written since the last load', async () => {
  await fill();
  const known = new KnownRows();
  const { graph } = await load(known);
  await apply({ does: 'control', user: 2003, by: [2001, 2002] });
  const client = new pg.Client({ ...database.connection, types: typeParsers });
  await client.connect();
  const texts: string[] = [];
  const query = client.query.bind(client) as (one: unknown, values?: unknown) => unknown;
  client.query = ((one: unknown, values?: unknown) => {
    texts.push(typeof one === 'string' ? one : ((one as { text?: string }).text ?? ''));
    return query(one, values);
  }) as typeof client.query;
  await client.query('begin isolation level repeatable read read only');
  const again = await loadGraph(client, { ...OPTIONS, known });
  await client.end();
  expect(again.graph.nodeCount).toBe(graph.nodeCount);
  expect(again.change?.edges.starts).toHaveLength(3);
  expect(texts.filter((text) => text.includes('.xmin'))).toHaveLength(2);
  for (const text of texts.filter((text) => text.startsWith('copy') && /from (node|edge_set)/.test(text)))
    expect(text).toMatch(/ctid = any \('\{"\(\d+,\d+\)"/);
});

it('writes derived edges again that other work deleted', async () => {
  await fill();
  const context = buildContext(database, () => {});
  const count = async (): Promise<number> =>
    (await database.pool.query(`select from edge_set where aspect = ${Aspect.derived}`)).rowCount ?? 0;
  await buildGeneration(context);
  const before = await count();
  const first = `select min(owner_id) from edge_set where aspect = ${Aspect.derived}`;
  await database.pool.query(
    `delete from edge_set where aspect = ${Aspect.derived} and owner_id = (${first})`,
  );
  expect(await count()).toBe(before - 1);
  await database.pool.query('update facts_state set version = version + 1');
  await buildGeneration(context);
  expect(await count()).toBe(before);
});

it('publishes the same as a complete build', async () => {
  const dump = async () =>
    (
      await database.pool.query(
        `select owner_id, aspect, source_id, start_ids, kind_ids, end_ids, flags, properties from edge_set
         order by owner_id, aspect, source_id`,
      )
    ).rows;
  let made: Generation | undefined;
  let facts: GenerationFacts | undefined;
  let [described, looked] = [0, 0];
  let coming: Generation | undefined;
  const context: BuildContext = {
    ...buildContext(database, (generation) => (made = generation)),
    announceGraph: (generation, announced) => {
      coming = generation;
      facts = announced;
    },
    announce: (generation, announced) => {
      expect(announced).toBeUndefined();
      expect(coming).toEqual({ ...generation, zones: undefined, publishedAt: expect.any(String) });
    },
  };
  const build = async (memory = context.memory): Promise<void> => {
    await database.pool.query('update facts_state set version = version + 1');
    await buildGeneration({ ...context, memory });
  };
  await fill();
  await build();
  const derivedSets = (await dump()).filter(({ aspect }) => aspect === Aspect.derived);
  expect(derivedSets.length).toBeGreaterThan(20);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      for (const one of changes) await apply(one);
      await build();
      const published = await loadPublished({ database, log: silentLog }, 0);
      expect(made).toEqual(published);
      expect(derivedEdges(made as Generation)).toEqual(derivedEdges(published as Generation));
      const { nodeProperties, edgeProperties, scanned } = facts as GenerationFacts;
      const announced = propertiesOf(NodeProperties.ofShared(nodeProperties));
      const read = await propertiesRead(made as Generation);
      expect(announced).toEqual(propertiesOf(read.properties));
      const ofEdges = shownEdgeProperties(EdgeProperties.ofShared(edgeProperties));
      expect(ofEdges).toEqual(shownEdgeProperties(read.edgeProperties));
      expect([scanned.sessions, scanned.localGroups]).toEqual(await scannedRead(made as Generation));
      looked += [...scanned.sessions, ...scanned.localGroups].filter((bits) => bits !== 0).length;
      described += ofEdges.length;
      described += announced.filter((properties) => Object.keys(properties).length > 0).length;
      const sets = await dump();
      await build(buildContext(database, () => {}).memory);
      expect(await dump()).toEqual(sets);
      await build();
    }),
    { numRuns: RUNS },
  );
  expect(described).toBeGreaterThan(0);
  expect(looked).toBeGreaterThan(0);
});

const propertiesOf = (properties: NodeProperties) =>
  Array.from({ length: properties.nodeCount }, (_, node) => properties.of(node));

/** Properties as a thread that computes plans reads them from the store. */
async function propertiesRead({ graph }: Generation): Promise<AnalysisContext> {
  const client = await database.pool.connect();
  try {
    const { analysis } = buildContext(database, () => {});
    return await loadFacts(client, graph, {
      nodeProperties: PLAN_PROPERTIES,
      edgeProperties: analysis.reads.edgeProperties as NonNullable<LoadOptions['edgeProperties']>,
      options: analysis.options,
    });
  } finally {
    client.release();
  }
}

async function scannedRead({ graph }: Generation): Promise<Uint32Array[]> {
  const client = await database.pool.connect();
  try {
    const { sessions, localGroups } = await readScannedComputers(client, graph);
    return [sessions.bitmap(), localGroups.bitmap()];
  } finally {
    client.release();
  }
}

it.each<[name: string, there: Change, gone: Change, kind: number]>([
  [
    'the host of an authority',
    { does: 'host', host: HOSTS[0] },
    { does: 'host', host: null },
    EdgeKind.HostsCAService,
  ],
  [
    'the users of a trusted domain',
    { does: 'trust', isThere: true },
    { does: 'trust', isThere: false },
    EdgeKind.ClaimSpecialIdentity,
  ],
])('follows %s as it is added and removed', async (_, there, gone, kind) => {
  let made: Generation | undefined;
  const context = buildContext(database, (generation) => (made = generation));
  const countAfter = async (one?: Change): Promise<number> => {
    if (one !== undefined) await apply(one);
    await database.pool.query('update facts_state set version = version + 1');
    await buildGeneration(context);
    return (made as Generation).graph.out.kinds.filter((each) => each === kind).length;
  };
  await fill();
  const before = await countAfter(gone);
  expect(await countAfter(there)).toBe(before + 1);
  expect(await countAfter(gone)).toBe(before);
});
