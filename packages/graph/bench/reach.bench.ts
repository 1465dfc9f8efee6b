/** Exposure and impact: how many principals reach, or are reached from, many nodes. */
import {
  type AttackGraph,
  condense,
  nodeGroups,
  nodesOfKind,
  ReachCounter,
  reachableNodes,
  reverseCondensation,
  selectSteps,
} from '../src/index.ts';
import { newRandom } from '../test/index.ts';
import { type Bench, type BenchResult, expectEqual, residentMb, timed } from './measure.ts';
import { NodeKind, type Shape, syntheticGraph } from './syntheticGraph.ts';

const NODES = 10_000;
/** Counts that a walk of their own confirms. */
const CHECKED = 3;

const bench: Bench = {
  name: 'graph: reach counts',
  async run({ scale }) {
    return (['uniform', 'directory'] as const).map((shape) => countMany(syntheticGraph(shape, scale), shape));
  },
};
export default bench;

function countMany(graph: AttackGraph, shape: Shape): BenchResult {
  const principals = nodesOfKind(graph, NodeKind.User, NodeKind.Computer);
  const many = randomNodes(graph, NODES);
  const groups = nodeGroups(many.map((node) => [node]));
  const select = timed(() => selectSteps(graph, { direction: 'in' }));
  const condensed = timed(() => condense(select.result));
  const exposure = timed(() => new ReachCounter(condensed.result).count(groups, principals));
  const turned = timed(() => reverseCondensation(condensed.result));
  const impact = timed(() => new ReachCounter(turned.result).count(groups, principals));
  for (const at of Array(CHECKED).keys()) {
    for (const [counts, direction] of [
      [exposure.result, 'in'],
      [impact.result, 'out'],
    ] as const) {
      const walked = reachableNodes(graph, [many[at]], { direction }).intersectionSize(principals);
      expectEqual(`reach of ${many[at]}, ${direction}`, counts[at], walked);
    }
  }
  return {
    name: `exposure and impact of ${many.length} nodes, ${shape}`,
    figures: {
      components: condensed.result.count,
      'select steps (ms)': select.ms,
      'condense (ms)': condensed.ms,
      'exposure (ms)': exposure.ms,
      'turned (ms)': turned.ms,
      'impact (ms)': impact.ms,
      'resident (MB)': residentMb(),
    },
  };
}

function randomNodes(graph: AttackGraph, count: number): number[] {
  const random = newRandom(count);
  return Array.from({ length: count }, () => Math.floor(random() * graph.nodeCount));
}
