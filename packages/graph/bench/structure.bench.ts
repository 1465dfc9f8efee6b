/** Measures the structures that remediation and rules use: membership closures, choke points. */
import {
  type AttackGraph,
  Closure,
  countDominated,
  edgesOfKind,
  findDominators,
  findOnlyEntries,
  type NodeSet,
  nodesOfKind,
  reachableNodes,
  selectSteps,
} from '../src/index.ts';
import { type Bench, type BenchResult, expectEqual, timed } from './measure.ts';
import { DOMAIN_ADMINS, Kind, NodeKind, syntheticGraph } from './syntheticGraph.ts';

const bench: Bench = {
  name: 'graph: structure',
  async run({ scale }) {
    const graph = syntheticGraph('directory', scale);
    const principals = nodesOfKind(graph, NodeKind.User, NodeKind.Computer);
    return [closeMemberships(graph), findChokePoints(graph, principals)];
  },
};
export default bench;

function closeMemberships(graph: AttackGraph): BenchResult {
  const filter = edgesOfKind(Kind.MemberOf);
  const made = timed(() => new Closure(selectSteps(graph, { direction: 'in', filter })));
  const closure = made.result;
  const groups = nodesOfKind(graph, NodeKind.Group);
  const all = timed(() => {
    let members = 0;
    groups.forEach((group) => {
      members += closure.of(group).size;
    });
    return members;
  });
  for (const group of [1, 2, 3, 1000]) {
    const walked = reachableNodes(graph, [group], { direction: 'in', filter });
    expectEqual('members', closure.withSelf(group).size, walked.size);
  }
  return {
    name: 'effective members of every group',
    figures: {
      groups: groups.size,
      'closure made (ms)': made.ms,
      'all groups (ms)': all.ms,
      'members in all': all.result,
      'kept (MB)': Math.round(closure.keptBytes / 2 ** 20),
    },
  };
}

function findChokePoints(graph: AttackGraph, principals: NodeSet): BenchResult {
  const steps = selectSteps(graph, { direction: 'in' });
  const tree = timed(() => findDominators(steps, [DOMAIN_ADMINS]));
  const counts = countDominated(tree.result, principals);
  const entries = timed(() => findOnlyEntries(tree.result));
  const reached = reachableNodes(graph, [DOMAIN_ADMINS], { direction: 'in' }).intersectionSize(principals);
  expectEqual('principals behind the root', counts[DOMAIN_ADMINS], reached);
  return {
    name: 'choke points before one target',
    figures: {
      'dominators (ms)': tree.ms,
      'only entries (ms)': entries.ms,
      'only entries': entries.result.size,
      principals: reached,
    },
  };
}
