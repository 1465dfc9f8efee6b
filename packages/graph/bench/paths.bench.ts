/** All shortest paths between random nodes, and reach from one node. */
import { ALL_EDGES, type AttackGraph, reachableNodes, shortestPaths } from '../src/index.ts';
import { breadthFirst } from '../src/search/traversal.ts';
import { newRandom } from '../test/index.ts';
import { type Bench, type BenchResult, expectEqual, percentiles, timed } from './measure.ts';
import { Kind, type Shape, syntheticGraph } from './syntheticGraph.ts';

const QUESTIONS = 2000;
/** Distances that are checked against a plain breadth-first walk first. */
const CHECKED = 10;

const bench: Bench = {
  name: 'graph: paths',
  async run({ scale }) {
    const results: BenchResult[] = [];
    for (const shape of ['uniform', 'directory'] as const) {
      const graph = syntheticGraph(shape, scale);
      results.push(askPaths(graph, shape), askReach(graph, shape));
    }
    return results;
  },
};
export default bench;

function askPaths(graph: AttackGraph, shape: Shape): BenchResult {
  const random = newRandom(11);
  const pairs = Array.from({ length: QUESTIONS }, () => [
    Math.floor(random() * graph.nodeCount),
    Math.floor(random() * graph.nodeCount),
  ]);
  // One kind excluded, so that the filter is at work.
  const filter = { allows: ALL_EDGES.allows.with(Kind.HasSession, 0) };
  for (const [from, to] of pairs.slice(0, CHECKED)) {
    const { nodes, levels } = breadthFirst(graph, [from], { filter });
    const place = nodes.indexOf(to);
    const distance = place < 0 ? undefined : levels.findLastIndex((first) => first <= place);
    expectEqual(`distance ${from} -> ${to}`, shortestPaths(graph, from, to, { filter })?.length, distance);
  }
  let found = 0;
  let mostEdges = 0;
  const { p50, p99, max } = percentiles(QUESTIONS, (call) => {
    const paths = shortestPaths(graph, pairs[call][0], pairs[call][1], { filter });
    if (paths !== undefined) found++;
    mostEdges = Math.max(mostEdges, paths?.edges.length ?? 0);
  });
  const figures = {
    'p50 (ms)': p50,
    'p99 (ms)': p99,
    'max (ms)': max,
    'with a path': `${Math.round((found / QUESTIONS) * 100)} %`,
    'most edges in a union': mostEdges,
  };
  return { name: `all shortest paths, ${shape}`, figures };
}

function askReach(graph: AttackGraph, shape: Shape): BenchResult {
  const source = Math.floor(graph.nodeCount / 2);
  const forward = timed(() => reachableNodes(graph, [source]));
  const backward = timed(() => reachableNodes(graph, [source], { direction: 'in' }));
  expectEqual('reach', forward.result.size, breadthFirst(graph, [source]).nodes.length);
  return {
    name: `reach from one node, ${shape}`,
    figures: {
      'forward (ms)': forward.ms,
      'forward nodes': forward.result.size,
      'backward (ms)': backward.ms,
      'backward nodes': backward.result.size,
    },
  };
}
