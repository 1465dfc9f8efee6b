/**
 * Compares Cypher on a synthetic directory with alternatives: the same queries in PostgreSQL with recursive SQL on indexed edges, in
 * graphology and in ngraph.path, in one run on the same data. Answers are compared before times.
 */
import { runQuery, type Value } from '@clew/cypher';
import { attackPropertyGraph, NameIndex, PropertyColumns } from '@clew/explore/testing';
import { NodeProperties, nameOf, objectIdOf } from '@clew/graph';
import { newRandom } from '@clew/graph/testing';
import { EdgeKind } from '@clew/model';
import { queryDataOf } from '@clew/queries';
import type { Database } from '@clew/store';
import { openBenchDatabase } from '@clew/store/testing';
import * as graphology from 'graphology';
import createGraph from 'ngraph.graph';
import { nba } from 'ngraph.path';
import { type DirectoryGraph, directoryGraph } from './directoryGraph.ts';

const SIZES = { small: 100_000, large: 1_000_000 } as const;
const PAIRS = 50;

export default {
  name: 'service: cypher',
  async run({ scale }: { readonly scale: keyof typeof SIZES }) {
    const directory = directoryGraph(SIZES[scale]);
    return [...measureQueries(directory), ...(await measurePeers(directory))];
  },
};

function askerOf({ generation }: DirectoryGraph) {
  const data = queryDataOf(generation);
  const properties = new NodeProperties(data.graph.nodeCount);
  for (let node = 0; node < data.graph.nodeCount; node += 3) properties.set('hasspn', node, node % 30 === 0);
  const columns = PropertyColumns.of(data, properties);
  let index: NameIndex | undefined;
  const names = (): NameIndex => {
    index ??= new NameIndex(data.graph);
    return index;
  };
  const graph = attackPropertyGraph({ generation, data, columns, names });
  return (query: string, parameters: Readonly<Record<string, Value>> = {}) =>
    runQuery(query, graph, { parameters, limits: { results: 5_000_000, rows: 5_000_000 } }).rows;
}

/** Anchored queries take at most 50 ms (p99), label scans at most a second. */
function measureQueries(directory: DirectoryGraph) {
  const ask = askerOf(directory);
  const { graph } = directory.generation;
  const users = directory.nodesOf('User');
  const random = newRandom(7);
  const anyUser = (): number => users[Math.floor(random() * users.length)];
  ask('MATCH (n {name: ""}) RETURN n');
  const anchored: Record<string, (user: number) => readonly (readonly Value[])[]> = {
    'seek by object id': (user) =>
      ask('MATCH (n {objectid: $id}) RETURN n.name', { id: objectIdOf(graph, user) }),
    'seek by name': (user) =>
      ask('MATCH (n:User {name: $name}) RETURN n.objectid', { name: nameOf(graph, user) }),
    'two hops': (user) =>
      ask('MATCH (n {objectid: $id})-[:MemberOf]->(g)-[:MemberOf]->(h) RETURN g, h', {
        id: objectIdOf(graph, user),
      }),
    'shortest path to a domain': (user) =>
      ask(
        'MATCH p = shortestPath((n {objectid: $id})-[:ALL_ATTACK_PATHS*1..]->(d {objectid: $domain})) RETURN length(p)',
        {
          id: objectIdOf(graph, user),
          domain: objectIdOf(graph, directory.domain),
        },
      ),
  };
  const whole: Record<string, string> = {
    'count by label': 'MATCH (u:User) WHERE u.hasspn = true RETURN count(u)',
    'aggregation over all': 'MATCH (n) RETURN labels(n)[0] AS kind, count(*) ORDER BY kind',
    'pattern as condition, all users': 'MATCH (u:User) WHERE NOT (u)-[:MemberOf]->(:Group) RETURN count(u)',
    'members of a group, distinct':
      "MATCH (u)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-512' RETURN count(DISTINCT u)",
    'shortest paths to administrators, LIMIT 1000':
      "MATCH p = shortestPath((s)-[:ALL_ATTACK_PATHS*1..]->(t:Group)) WHERE t.objectid ENDS WITH '-512' AND s <> t RETURN p LIMIT 1000",
  };
  return [
    ...Object.entries(anchored).map(([name, work]) => {
      const times = Array.from({ length: 200 }, () => {
        const user = anyUser();
        const began = performance.now();
        const rows = work(user);
        if (name.startsWith('seek') && rows.length === 0)
          throw new Error(`${name}: ${objectIdOf(graph, user)} is there`);
        return performance.now() - began;
      }).sort((a, b) => a - b);
      return { name, figures: { 'p50 (ms)': round(times[100]), 'p99 (ms)': round(times[197]) } };
    }),
    ...Object.entries(whole).map(([name, query]) => {
      ask(query);
      const began = performance.now();
      const rows = ask(query);
      if (rows.length === 0) throw new Error(`${name} finds something`);
      return { name, figures: { 'time (ms)': round(performance.now() - began), rows: rows.length } };
    }),
  ];
}

/** The same queries in other systems. */
async function measurePeers(directory: DirectoryGraph) {
  const ask = askerOf(directory);
  const { graph } = directory.generation;
  const { offsets, neighbors, kinds } = graph.out;
  const random = newRandom(11);
  const pairs = Array.from(
    { length: PAIRS },
    () => [random(), random()].map((part) => Math.floor(part * graph.nodeCount)) as [number, number],
  );
  const answers: Record<
    string,
    { lengths: (number | null)[]; members: number; ms: { paths: number; members: number } }
  > = {};
  const administrators = "g.objectid ENDS WITH '-512'";

  {
    ask('RETURN 1');
    const began = performance.now();
    const lengths = pairs.map(([from, to]) => {
      const rows = ask(
        'MATCH p = shortestPath((a)-[*1..]->(b)) WHERE id(a) = $from AND id(b) = $to RETURN length(p)',
        {
          from: graph.storeIds[from],
          to: graph.storeIds[to],
        },
      );
      return rows.length === 0 ? null : (rows[0][0] as number);
    });
    const paths = performance.now() - began;
    const again = performance.now();
    const members = ask(
      `MATCH (u)-[:MemberOf*1..]->(g:Group) WHERE ${administrators} RETURN count(DISTINCT u)`,
    )[0][0] as number;
    answers.Clew = { lengths, members, ms: { paths, members: performance.now() - again } };
  }

  const targets = Array.from({ length: graph.nodeCount }, (_, node) => node).filter(
    (node) => objectIdOf(graph, node).endsWith('-512') && directory.nodesOf('Group').includes(node),
  );
  answers.graphology = withGraphology();
  answers['ngraph.path'] = withNgraph();
  answers['recursive SQL'] = await withSql();
  const expected = answers.Clew;
  for (const [peer, { lengths, members }] of Object.entries(answers)) {
    if (JSON.stringify(lengths) !== JSON.stringify(expected.lengths))
      throw new Error(`${peer} finds other paths`);
    if (members >= 0 && members !== expected.members)
      throw new Error(`${peer} finds ${members} members, not ${expected.members}`);
  }
  return Object.entries(answers).map(([peer, { members, ms }]) => ({
    name: `compared with others: ${peer}`,
    figures: {
      'shortest path, mean (ms)': round(ms.paths / PAIRS),
      ...(members >= 0 && { 'members of a group (ms)': round(ms.members) }),
    },
  }));

  function eachEdge(visit: (start: number, kind: number, end: number) => void): void {
    for (let node = 0; node < graph.nodeCount; node++)
      for (let at = offsets[node]; at < offsets[node + 1]; at++) visit(node, kinds[at], neighbors[at]);
  }

  /** It has no directed shortest path, so this is a breadth-first search with its iterators, as its users write it. */
  function withGraphology() {
    const peer = new graphology.MultiDirectedGraph();
    for (let node = 0; node < graph.nodeCount; node++) peer.addNode(node);
    eachEdge((start, kind, end) => peer.addEdge(start, end, { kind }));
    const began = performance.now();
    const lengths = pairs.map(([from, to]) =>
      breadth(from, to, (node, visit) => peer.forEachOutNeighbor(node, (other) => visit(Number(other)))),
    );
    const paths = performance.now() - began;
    const again = performance.now();
    const seen = new Set<number>();
    let layer = targets;
    while (layer.length > 0) {
      const further: number[] = [];
      for (const node of layer)
        peer.forEachInEdge(node, (_edge, { kind }, source) => {
          const start = Number(source);
          if (kind !== EdgeKind.MemberOf || seen.has(start)) return;
          seen.add(start);
          further.push(start);
        });
      layer = further;
    }
    return { lengths, members: seen.size, ms: { paths, members: performance.now() - again } };
  }

  function withNgraph() {
    const peer = createGraph();
    eachEdge((start, _kind, end) => peer.addLink(start, end));
    for (let node = 0; node < graph.nodeCount; node++)
      if (peer.getNode(node) === undefined) peer.addNode(node);
    const finder = nba(peer, { oriented: true });
    const began = performance.now();
    const lengths = pairs.map(([from, to]) => {
      if (from === to) return null;
      const path = finder.find(from, to);
      return path.length === 0 ? null : path.length - 1;
    });
    return { lengths, members: -1, ms: { paths: performance.now() - began, members: 0 } };
  }

  async function withSql() {
    const database = await openBenchDatabase();
    try {
      return await askSql(database.pool);
    } finally {
      await database.close();
    }
  }

  async function askSql(pool: Database['pool']) {
    await pool.query('create table bench_edge (start_id integer, kind smallint, end_id integer)');
    const rows: [number, number, number][] = [];
    const flush = async () => {
      const columns = [0, 1, 2].map((at) => rows.map((row) => row[at]));
      await pool.query(
        'insert into bench_edge select * from unnest($1::integer[], $2::smallint[], $3::integer[])',
        columns,
      );
      rows.length = 0;
    };
    for (let node = 0; node < graph.nodeCount; node++) {
      for (let at = offsets[node]; at < offsets[node + 1]; at++) rows.push([node, kinds[at], neighbors[at]]);
      if (rows.length > 200_000) await flush();
    }
    await flush();
    await pool.query(
      'create index on bench_edge (start_id, end_id); create index on bench_edge (end_id, kind); analyze bench_edge',
    );
    const began = performance.now();
    const lengths: (number | null)[] = [];
    for (const [from, to] of pairs) lengths.push(from === to ? null : await sqlDistance(from, to));
    const paths = performance.now() - began;
    const again = performance.now();
    const { rows: found } = await pool.query(
      `with recursive member(id) as (
         select start_id from bench_edge where end_id = any($1) and kind = $2
         union
         select start_id from bench_edge join member on end_id = member.id where kind = $2
       ) select count(*)::integer as count from member`,
      [targets, EdgeKind.MemberOf],
    );
    return { lengths, members: found[0].count as number, ms: { paths, members: performance.now() - again } };

    /** Layer by layer, because a recursion in one statement does not track visited nodes, and does not end. */
    async function sqlDistance(from: number, to: number): Promise<number | null> {
      const client = await pool.connect();
      try {
        await client.query(
          'create temp table seen (id integer primary key, depth integer) on commit preserve rows',
        );
        await client.query('insert into seen values ($1, 0)', [from]);
        for (let depth = 1; ; depth++) {
          const { rowCount } = await client.query(
            `insert into seen select distinct end_id, $1::integer from bench_edge join seen on start_id = seen.id
             where seen.depth = $1 - 1 on conflict do nothing`,
            [depth],
          );
          if (rowCount === 0) return null;
          const { rowCount: hit } = await client.query('select from seen where id = $1', [to]);
          if (hit === 1) return depth;
        }
      } finally {
        await client.query('drop table if exists seen');
        client.release();
      }
    }
  }
}

function breadth(
  from: number,
  to: number,
  each: (node: number, visit: (other: number) => void) => void,
): number | null {
  if (from === to) return null;
  const seen = new Set([from]);
  let layer = [from];
  for (let depth = 1; layer.length > 0; depth++) {
    const further: number[] = [];
    for (const node of layer)
      each(node, (other) => {
        if (seen.has(other)) return;
        seen.add(other);
        further.push(other);
      });
    if (seen.has(to)) return depth;
    layer = further;
  }
  return null;
}

const round = (number: number): number => Math.round(number * 100) / 100;
