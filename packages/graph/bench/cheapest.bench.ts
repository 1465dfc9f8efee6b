/** Measures the cheapest paths from all nodes to some, as attack effort needs them, and compares them with a plain search. */
import { cheapestSteps, reachableNodes, UNREACHABLE } from '../src/index.ts';
import { type Bench, expectEqual, timed } from './measure.ts';
import { DOMAIN_ADMINS, SIZES, syntheticGraph } from './syntheticGraph.ts';

/** More than other benchmarks have: dense directories. */
const EDGES_PER_NODE = 22;
const COSTS = [0, 1, 2, 4, 8];

const bench: Bench = {
  name: 'graph: cheapest ways',
  async run({ scale }) {
    const graph = syntheticGraph('directory', scale, SIZES[scale].nodes * EDGES_PER_NODE);
    const ofPlace = Uint8Array.from(graph.in.kinds, (kind) => COSTS[kind % COSTS.length]);
    const targets = [DOMAIN_ADMINS];
    const before = process.cpuUsage();
    const search = timed(() => cheapestSteps(graph, targets, { ofPlace, max: 8 }));
    const { user, system } = process.cpuUsage(before);
    const walk = timed(() => reachableNodes(graph, targets, { direction: 'in' }));
    const { costs, firstPlaces } = search.result;
    let reached = 0;
    for (let node = 0; node < graph.nodeCount; node++) {
      if (costs[node] !== UNREACHABLE) reached++;
      // No edge leads to a node from which the way is cheaper than over it.
      for (let at = graph.in.offsets[node]; at < graph.in.offsets[node + 1]; at++) {
        const start = graph.in.neighbors[at];
        if (costs[node] !== UNREACHABLE && costs[start] > costs[node] + ofPlace[at])
          throw new Error(`the way of node ${start} is not the cheapest`);
        if (firstPlaces[start] === at) expectEqual('cost of a step', costs[start], costs[node] + ofPlace[at]);
      }
    }
    expectEqual('nodes with a way', reached, walk.result.size);
    return [
      {
        name: 'ways into one group',
        figures: {
          nodes: graph.nodeCount,
          edges: graph.edgeCount,
          'nodes with a way': reached,
          'search (ms)': search.ms,
          'CPU of the search (ms)': Math.round((user + system) / 1000),
          'plain walk (ms)': walk.ms,
        },
      },
    ];
  },
};
export default bench;
