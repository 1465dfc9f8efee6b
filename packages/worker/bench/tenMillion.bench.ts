/**
 * Measures the capacity of one machine: a graph ten times as large as a large organization, loaded from the store as in a process that
 * answers requests, and shortest paths in it. Budget: 10 M nodes and 100 M edges in 24 GiB.
 */
import { type AttackGraph, shortestPaths } from '@clew/graph';
import { type Database, typeParsers } from '@clew/store';
import { openBenchDatabase } from '@clew/store/testing';
import { loadGraph } from '@clew/worker/testing';
import pg from 'pg';

const NODES = { small: 100_000, large: 10_000_000 } as const;
const EDGES_OF_NODE = 10;
/** Number of start nodes of the paths, and of end nodes for each. One plain search from each start checks all its answers. */
const STARTS = 20;
const ENDS = 15;

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

/** Written by the database itself, in parts that fit into its memory. */
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
        'RSS MB afterward': Math.round(process.memoryUsage().rss / 2 ** 20),
      },
    };
  } finally {
    await client.end();
  }
}

function askForPaths(graph: AttackGraph): Record<string, number> {
  const times: number[] = [];
  let found = 0;
  let longestFound = 0;
  for (let start = 0; start < STARTS; start++) {
    const from = (start * 7_368_787) % graph.nodeCount;
    const distances = plainDistances(graph, from);
    for (let end = 0; end < ENDS; end++) {
      const to = ((start * ENDS + end) * 5_915_587 + 13) % graph.nodeCount;
      const began = performance.now();
      const length = shortestPaths(graph, from, to)?.length;
      const ms = performance.now() - began;
      times.push(ms);
      if (length !== undefined) {
        found++;
        longestFound = Math.max(longestFound, ms);
      }
      if ((length ?? NO_PATH) !== distances[to]) throw new Error(`from ${from} to ${to} it is not ${length}`);
    }
  }
  times.sort((a, b) => a - b);
  const atShare = (share: number): number => Math.round(times[Math.floor(times.length * share)] * 100) / 100;
  return {
    asked: times.length,
    'with a path': found,
    'p50 (ms)': atShare(0.5),
    'p99 (ms)': atShare(0.99),
    'longest (ms)': Math.round(times.at(-1) as number),
    'longest with a path (ms)': Math.round(longestFound),
  };
}

const NO_PATH = -1;

/** A simple breadth-first search in one direction. @returns number of edges to each node */
function plainDistances({ nodeCount, out }: AttackGraph, from: number): Int16Array {
  const distances = new Int16Array(nodeCount).fill(NO_PATH);
  distances[from] = 0;
  const queue = new Uint32Array(nodeCount);
  queue[0] = from;
  for (let at = 0, end = 1; at < end; at++) {
    for (let edge = out.offsets[queue[at]]; edge < out.offsets[queue[at] + 1]; edge++) {
      const next = out.neighbors[edge];
      if (distances[next] !== NO_PATH) continue;
      distances[next] = distances[queue[at]] + 1;
      queue[end++] = next;
    }
  }
  return distances;
}
