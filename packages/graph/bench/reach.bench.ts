/** Exposure and impact: how many principals reach, or are reached from, many nodes. */
import {
  type AttackGraph,
  condense,
  countReachedByComponent,
  countReachedByWalk,
  type NodeSet,
  nodesOfKind,
  reachableNodes,
  type Steps,
  selectSteps,
} from '../src/index.ts';
import { newRandom } from '../src/testing.ts';
import { type Bench, type BenchResult, expectEqual, residentMb, timed } from './measure.ts';
import { NodeKind, type Shape, syntheticGraph } from './syntheticGraph.ts';

const bench: Bench = {
  name: 'graph: reach counts',
  async run({ scale }) {
    return (['uniform', 'directory'] as const).flatMap((shape) => {
      const graph = syntheticGraph(shape, scale);
      return countAll(graph, shape);
    });
  },
};
export default bench;

function countAll(graph: AttackGraph, shape: Shape): BenchResult[] {
  const principals = nodesOfKind(graph, NodeKind.User, NodeKind.Computer);
  const select = timed(() => selectSteps(graph, { direction: 'in' }));
  const steps = select.result;
  const few = randomNodes(graph, 32);
  const walk = timed(() => countReachedByWalk(steps, few, principals));
  const naive = reachableNodes(graph, [few[0]], { direction: 'in' }).intersectionSize(principals);
  expectEqual('exposure of the first node', walk.result[0], naive);
  const figures = { 'select steps (ms)': select.ms, '32 sources (ms)': walk.ms };
  return [
    { name: `exposure, ${shape}`, figures },
    countMany(graph, steps, principals, few, walk.result, shape),
  ];
}

function countMany(
  graph: AttackGraph,
  steps: Steps,
  principals: NodeSet,
  few: readonly number[],
  expected: Uint32Array,
  shape: Shape,
): BenchResult {
  const many = [...few, ...randomNodes(graph, 9968)];
  const condensed = timed(() => condense(steps));
  const exposure = timed(() => countReachedByComponent(condensed.result, many, principals, 'ahead'));
  const impact = timed(() => countReachedByComponent(condensed.result, many, principals, 'behind'));
  for (const at of few.keys()) expectEqual('exposure', exposure.result[at], expected[at]);
  return {
    name: `exposure and impact of ${many.length} nodes, ${shape}`,
    figures: {
      components: condensed.result.count,
      'condense (ms)': condensed.ms,
      'exposure (ms)': exposure.ms,
      'impact (ms)': impact.ms,
      'resident (MB)': residentMb(),
    },
  };
}

function randomNodes(graph: AttackGraph, count: number): number[] {
  const random = newRandom(count);
  return Array.from({ length: count }, () => Math.floor(random() * graph.nodeCount));
}
