/** Measures building the graph, adding derived edges to it, and its memory. */
import {
  type AttackGraph,
  EdgeList,
  findEdge,
  findNode,
  NO_EDGE,
  objectIdOf,
  withEdges,
} from '../src/index.ts';
import { newRandom } from '../test/index.ts';
import { type Bench, type BenchResult, expectEqual, percentiles, residentMb, timed } from './measure.ts';
import { newSyntheticBuilder, type Scale, SIZES, syntheticEdges } from './syntheticGraph.ts';

const bench: Bench = {
  name: 'graph: build',
  async run({ scale }) {
    const { graph, result } = buildOnce(scale);
    return [result, addDerived(graph, scale), lookUp(graph)];
  },
};
export default bench;

function buildOnce(scale: Scale): { graph: AttackGraph; result: BenchResult } {
  const edges = syntheticEdges('directory', scale);
  const before = residentMb();
  const nodes = timed(() => newSyntheticBuilder(scale));
  nodes.result.addEdges(edges);
  const build = timed(() => nodes.result.build());
  const peak = residentMb();
  const graph = build.result;
  for (let edge = 0; edge < edges.starts.length; edge += 997) {
    const found = findEdge(graph, edges.starts[edge], edges.kinds[edge], edges.ends[edge]);
    if (found === NO_EDGE) throw new Error(`edge ${edge} is lost`);
  }
  expectEqual('edges in both directions', graph.in.neighbors.length, graph.edgeCount);
  const edgeBytes = [graph.out, graph.in]
    .flatMap((rows) => [rows.offsets, rows.neighbors, rows.kinds, rows.flags])
    .reduce((sum, column) => sum + column.byteLength, 0);
  const figures = {
    nodes: graph.nodeCount,
    edges: graph.edgeCount,
    'add nodes (ms)': nodes.ms,
    'build (ms)': build.ms,
    'bytes per edge': Math.round((edgeBytes / graph.edgeCount) * 10) / 10,
    'resident before (MB)': before,
    'resident at the end of build (MB)': peak,
  };
  return { graph, result: { name: 'build', figures } };
}

function addDerived(graph: AttackGraph, scale: Scale): BenchResult {
  const count = SIZES[scale].edges / 20;
  const random = newRandom(7);
  const derived = new EdgeList();
  for (let edge = 0; edge < count; edge++) {
    const [start, end] = [random() * graph.nodeCount, random() * graph.nodeCount];
    derived.append(Math.floor(start), 2000, Math.floor(end), 32);
  }
  const { result: grown, ms } = timed(() => withEdges(graph, derived));
  // A random pair hardly ever comes twice.
  if (grown.edgeCount - graph.edgeCount < count * 0.99) throw new Error('derived edges are lost');
  return { name: 'add derived edges', figures: { edges: count, ms } };
}

function lookUp(graph: AttackGraph): BenchResult {
  const random = newRandom(3);
  const ids = Array.from({ length: 20_000 }, () => objectIdOf(graph, Math.floor(random() * graph.nodeCount)));
  const found = timed(() => ids.every((id) => objectIdOf(graph, findNode(graph, id)) === id));
  expectEqual('all ids found', found.result, true);
  const { p50, p99 } = percentiles(ids.length, (call) => findNode(graph, ids[call]));
  return { name: 'find a node by object id', figures: { 'p50 (ms)': p50, 'p99 (ms)': p99 } };
}
