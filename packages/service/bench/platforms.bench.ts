/**
 * Measures the cost of installed extensions and their data for users without them: the built-in rules on the same forest, without and with
 * twenty extensions that have as many objects as the forest (a million at scale `large`), in turns in one process. Budget: a factor of 1.1;
 * at scale `large` the benchmark fails above it. `CLEW_BENCH_PLATFORM_NODES` sets another number of objects, without a budget. Also
 * measures the ingest of a payload and of the forest, per edge.
 */
import { type AttackGraph, changeEdges } from '@clew/graph';
import { ingestAll, installExtension, upload } from '@clew/intake/testing';
import { type Database, typeParsers } from '@clew/store';
import { openBenchDatabase } from '@clew/store/testing';
import { forestFiles, type GeneratedFile, generateForest } from '@clew/synthetic';
import { createAnalysis, loadGraph } from '@clew/worker/testing';
import pg from 'pg';

const SIZES = {
  small: { users: 10_000, rounds: 7 },
  large: { users: 250_000, rounds: 5 },
} as const;
const EXTENSIONS = 20;
/** Edges per object in the payload. */
const EDGES_OF_NODE = 30;
const BUDGET = 1.1;

interface Measurement {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

export default {
  name: 'service: extensions',
  async run({ scale }: { readonly scale: keyof typeof SIZES }): Promise<Measurement[]> {
    const { users, rounds } = SIZES[scale];
    const options = { users, seed: 5, collectedAt: Date.UTC(2026, 10, 20) / 1000 };
    const database = await openBenchDatabase();
    try {
      const forest = await ingest(database, forestFiles(generateForest(options)));
      const payload = await ingest(database, [payloadOf(options.users)]);
      await database.pool.query(
        `delete from edge_set where source_id in (select id from source where name like 'opengraph:%');
         delete from sample_edge where source_id in (select id from source where name like 'opengraph:%');
         delete from node where id in (select node_id from sighting where source_id in (
           select id from source where name like 'opengraph:%'))
           and id not in (select node_id from sighting join source on source.id = source_id where name = 'sharphound')`,
      );
      const analysis = createAnalysis({ mode: 'clean' });
      const alone = await load(database, analysis);
      const asked = Number(process.env.CLEW_BENCH_PLATFORM_NODES ?? 0);
      const platformNodes = asked > 0 ? asked : alone.graph.nodeCount;
      await fill(database, platformNodes);
      const beside = await load(database, analysis);
      if (beside.graph.nodeCount < alone.graph.nodeCount + platformNodes)
        throw new Error(`${beside.graph.nodeCount} nodes`);
      return [
        { name: 'intake', figures: { ...forest, ...named('of a payload', payload) } },
        compare(analysis, alone, beside, {
          rounds,
          budget: scale === 'small' || asked > 0 ? Number.POSITIVE_INFINITY : BUDGET,
        }),
      ];
    } finally {
      await database.close();
    }
  },
};

/** A payload has more edges per object than a forest; in a hundredth of them, an end is named by a property. */
function payloadOf(nodes: number): GeneratedFile {
  return {
    ...{ name: 'payload.json', domain: 'X', type: 'opengraph' },
    *text() {
      yield '{"metadata":{"source_kind":"XBase"},"graph":{"nodes":[';
      for (let n = 0; n < nodes; n++)
        yield `${n === 0 ? '' : ','}{"id":"X-${n}","kinds":["X_User"],"properties":{"name":"X OBJECT ${n}","enabled":true}}`;
      yield '],"edges":[';
      for (let n = 0; n < nodes; n++)
        for (let edge = 0; edge < EDGES_OF_NODE; edge++) {
          const end = (n * 31 + edge * 7919 + 1) % nodes;
          const named =
            (n + edge) % 100 === 0 ? `"match_by":"name","value":"X OBJECT ${end}"` : `"value":"X-${end}"`;
          yield `${n + edge === 0 ? '' : ','}{"kind":"X_Kind${edge % 5}","start":{"value":"X-${n}"},"end":{${named}}}`;
        }
      yield ']}}';
    },
  };
}

const named = (suffix: string, figures: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(figures).map(([name, figure]) => [`${suffix}: ${name}`, figure]));

/** @returns the time per edge, including all work of the database, which is otherwise idle */
async function ingest(database: Database, files: readonly GeneratedFile[]): Promise<Record<string, number>> {
  const count = async (): Promise<number> => {
    const { rows } = await database.pool.query(
      `select ((select coalesce(sum(cardinality(start_ids)), 0) from edge_set) + (select count(*) from sample_edge))::integer as edges`,
    );
    return rows[0].edges;
  };
  const before = await count();
  await upload(database, ...files.map((file) => ({ name: file.name, content: bytesOf(file) })));
  const began = performance.now();
  await ingestAll(database);
  const us = (performance.now() - began) * 1000;
  const edges = (await count()) - before;
  return { edges, 'us per edge': Math.round((us / edges) * 10) / 10 };
}

/** Files of a large forest exceed the maximum string length. */
function bytesOf({ text }: GeneratedFile): Buffer {
  const parts: Buffer[] = [];
  let pending = '';
  for (const piece of text(() => {})) {
    pending += piece;
    if (pending.length < 2 ** 20) continue;
    parts.push(Buffer.from(pending));
    pending = '';
  }
  return Buffer.concat([...parts, Buffer.from(pending)]);
}

type Analysis = ReturnType<typeof createAnalysis>;
type Facts = Parameters<Analysis['contextOf']>[0];

/** Reads facts like a build, including memberships that no collector reports. */
async function load({ connection }: Database, analysis: Analysis): Promise<Facts> {
  const client = new pg.Client({ ...connection, types: typeParsers });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const loaded = await loadGraph(client, { derived: false, ...analysis.reads });
    await client.query('commit');
    const graph: AttackGraph = changeEdges(loaded.graph, { added: analysis.everybodyOf(loaded) });
    return { graph, properties: loaded.nodeProperties, edgeProperties: loaded.edgeProperties };
  } finally {
    await client.end();
  }
}

/** Definitions with their own kinds and data: two edges per node, one of them traversable. */
async function fill({ db, pool }: Database, nodes: number): Promise<void> {
  for (let at = 0; at < EXTENSIONS; at++)
    await db.transaction().execute((in_) => installExtension(in_, definition(at)));
  await pool.query(
    `insert into source (name) select 'opengraph:X' || at from generate_series(0, ${EXTENSIONS - 1}) at`,
  );
  const each = Math.ceil(nodes / EXTENSIONS);
  for (let at = 0; at < EXTENSIONS; at++) {
    const [{ rows: kinds }, { rows: edges }, { rows: source }] = await Promise.all([
      pool.query('select name, id from node_kind where name like $1', [`X${at}\\_%`]),
      pool.query('select name, id from edge_kind where name like $1', [`X${at}\\_%`]),
      pool.query('select id from source where name = $1', [`opengraph:X${at}`]),
    ]);
    const kind = (name: string) => kinds.find((one) => one.name === `X${at}_${name}`).id;
    const edgeKind = (name: string) => edges.find((one) => one.name === `X${at}_${name}`).id;
    await pool.query(`
      with made as (
        insert into object_id (object_id) select 'X${at}-' || n from generate_series(0, ${each}) n returning id
      ), numbered as (
        select id, row_number() over (order by id) - 1 as n, min(id) over () as first from made
      ), written as (
        insert into node (id, kinds, environment_id, properties, described, first_seen)
        select id, array[case when n = 0 then ${kind('Org')} else ${kind('User')} end], first,
               jsonb_build_object('name', 'X${at} OBJECT ' || n, 'enabled', true, 'collected', n = 0), true, now()
        from numbered
      )
      insert into edge_set (owner_id, aspect, source_id, start_ids, kind_ids, end_ids, flags, first_seen, collected_at)
      select id, 1, ${source[0].id},
             array[id, id], array[${edgeKind('Controls')}, ${edgeKind('Knows')}]::smallint[],
             array[first + (n * 31 + 7) % ${each}, first + (n * 17 + 3) % ${each}], array[0, 0]::smallint[], now(), now()
      from numbered`);
  }
  await pool.query('analyze');
}

const definition = (at: number) => ({
  schema: { name: `x${at}`, display_name: `X ${at}`, version: 'v1.0.0', namespace: `X${at}` },
  node_kinds: ['Org', 'User'].map((name) => ({ name: `X${at}_${name}`, display_name: name })),
  relationship_kinds: [{ name: `X${at}_Controls`, is_traversable: true }, { name: `X${at}_Knows` }],
  environments: [
    {
      ...{ environment_kind: `X${at}_Org`, source_kind: `X${at}` },
      principal_kinds: [`X${at}_User`],
    },
  ],
});

/** Runs alternate, so that other load on the machine slows both; the minimum of each counts. */
function compare(
  analysis: Analysis,
  alone: Facts,
  beside: Facts,
  { rounds, budget }: { readonly rounds: number; readonly budget: number },
): Measurement {
  const times = { alone: Number.POSITIVE_INFINITY, beside: Number.POSITIVE_INFINITY };
  const edges = { alone: 0, beside: 0 };
  for (let round = 0; round < rounds; round++)
    for (const [name, facts] of [
      ['alone', alone],
      ['beside', beside],
    ] as const) {
      const cpu = process.cpuUsage();
      const result = analysis.run(analysis.contextOf(facts));
      const { user, system } = process.cpuUsage(cpu);
      times[name] = Math.min(times[name], (user + system) / 1000);
      edges[name] = result.edges.count;
    }
  if (edges.alone !== edges.beside || edges.alone === 0)
    throw new Error(`${edges.alone} edges alone, ${edges.beside} with extensions`);
  const ratio = times.beside / times.alone;
  const figures = {
    'nodes of the forest': alone.graph.nodeCount,
    'nodes of extensions': beside.graph.nodeCount - alone.graph.nodeCount,
    'edges derived': edges.alone,
    'rules alone (ms)': Math.round(times.alone),
    'rules with extensions (ms)': Math.round(times.beside),
    ratio: Math.round(ratio * 1000) / 1000,
  };
  if (ratio > budget)
    throw new Error(`the rules take ${ratio.toFixed(2)} times as long: ${JSON.stringify(figures)}`);
  return { name: 'rules of the built-in analysis', figures };
}
