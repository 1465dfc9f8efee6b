/**
 * What one machine holds: a graph ten times as large as a large organisation, loaded out of the store as a process that
 * answers requests loads it, and shortest paths in it. Budget: 10 M nodes and 100 M edges in 24 GiB.
 */
import { type AttackGraph, shortestPaths } from '@clew/graph';
import { type Database, typeParsers } from '@clew/store';
import pg from 'pg';
import { loadGraph } from '../src/build/loadGraph.ts';
import { openBenchDatabase } from './benchDatabase.ts';

const NODES = { small: 100_000, large: 10_000_000 } as const;
const EDGES_OF_NODE = 10;
const QUESTIONS = 300;
/** Answers that are compared with those of a plain search. */
const COMPARED = 10;

interface Measurement {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

export default {
  name: 'service: ten million nodes',
  async run({ scale }: { readonly scale: keyof typeof NODES }): Promise<Measurement[]> {
    const database = await openBenchDatabase();
    try {
      await fill(database, NODES[scale]);
      const { graph, figures } = await load(database, NODES[scale]);
      return [
        { name: 'load nodes and edges', figures },
        { name: 'all shortest paths between two nodes', figures: askForPaths(graph) },
      ];
    } finally {
      await database.close();
    }
  },
};

/** Written by the database itself, in parts that fit its memory. */
async function fill({ pool }: Database, nodes: number): Promise<void> {
  const part = 1_000_000;
  await pool.query("insert into source (name) values ('sharphound')");
  for (let first = 1; first <= nodes; first += part) {
    const last = Math.min(nodes, first + part - 1);
    await pool.query(
      `insert into object_id (object_id)
       select 'S-1-5-21-1004336348-1177238915-682003330-' || at from generate_series(${first}, ${last}) at;
       insert into node (id, kinds, environment_id, properties, described, first_seen)
       select at, array[1, 2 + at % 3], 1, jsonb_build_object('name', 'PERSON' || at || '@CORP.EXAMPLE'), true, now()
       from generate_series(${first}, ${last}) at;
       insert into edge_set (owner_id, aspect, source_id, start_ids, kind_ids, end_ids, flags, first_seen, collected_at)
       select at, 1, 1,
              array(select 1 + ((at::bigint * 7919 * edge + edge * edge * 104729) % ${nodes})::integer
                    from generate_series(1, ${EDGES_OF_NODE}) edge),
              array[16, 17, 18, 21, 22, 25, 26, 27, 30, 1], array_fill(at, array[${EDGES_OF_NODE}]),
              array[19, 17, 19, 17, 19, 17, 19, 17, 19, 0], now(), now()
       from generate_series(${first}, ${last}) at`,
    );
  }
  await pool.query('analyze');
}

async function load(
  { connection }: Database,
  nodes: number,
): Promise<{ readonly graph: AttackGraph; readonly figures: Record<string, number> }> {
  const client = new pg.Client({ ...connection, types: typeParsers });
  await client.connect();
  try {
    const began = performance.now();
    await client.query('begin isolation level repeatable read read only');
    const { graph } = await loadGraph(client, { derived: true });
    await client.query('commit');
    const { nodeCount, edgeCount } = graph;
    if (nodeCount !== nodes || edgeCount < nodes * EDGES_OF_NODE * 0.95)
      throw new Error(`${nodeCount} nodes and ${edgeCount} edges`);
    const peak = Math.round(process.resourceUsage().maxRSS / 1024);
    globalThis.gc?.();
    return {
      graph,
      figures: {
        nodes: nodeCount,
        edges: edgeCount,
        s: Math.round((performance.now() - began) / 100) / 10,
        'peak RSS MB': peak,
        'RSS MB afterwards': Math.round(process.memoryUsage().rss / 2 ** 20),
      },
    };
  } finally {
    await client.end();
  }
}

function askForPaths(graph: AttackGraph): Record<string, number> {
  const times: number[] = [];
  let found = 0;
  for (let at = 0; at < QUESTIONS; at++) {
    const [from, to] = [(at * 7_368_787) % graph.nodeCount, (at * 5_915_587 + 13) % graph.nodeCount];
    const began = performance.now();
    const length = shortestPaths(graph, from, to)?.length;
    times.push(performance.now() - began);
    if (length !== undefined) found++;
    if (at < COMPARED && length !== plainDistance(graph, from, to))
      throw new Error(`from ${from} to ${to} it is not ${length}`);
  }
  times.sort((a, b) => a - b);
  const atShare = (share: number): number => Math.round(times[Math.floor(times.length * share)] * 100) / 100;
  return { 'with a path': found, 'p50 (ms)': atShare(0.5), 'p99 (ms)': atShare(0.99) };
}

/** Breadth first, one way, in the plainest words. */
function plainDistance({ nodeCount, out }: AttackGraph, from: number, to: number): number | undefined {
  const distance = new Int8Array(nodeCount).fill(-1);
  distance[from] = 0;
  let front = [from];
  for (let step = 1; front.length > 0; step++) {
    if (distance[to] >= 0) return distance[to];
    const next: number[] = [];
    for (const node of front)
      for (let edge = out.offsets[node]; edge < out.offsets[node + 1]; edge++)
        if (distance[out.neighbours[edge]] < 0) {
          distance[out.neighbours[edge]] = step;
          next.push(out.neighbours[edge]);
        }
    front = next;
  }
  return distance[to] < 0 ? undefined : distance[to];
}
