import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { SID } from '@clew/analysis/testing';
import { NodeSet } from '@clew/graph';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { Alternatives } from './alternatives.ts';
import { StepLabels } from './stepLabels.ts';

const GROUP = `${SID}-1101`;
const host = (at: number): string => `${SID}-${2100 + at}`;
const localGroup = (at: number): string => `${host(at)}-555`;

/** A group in a local group of each host, and in one with a right on the last host. */
function alternativesOf(hosts: number): string[][] {
  const last = hosts - 1;
  const places = Array.from({ length: hosts }, (_, at) => at);
  const test = graphOf({
    nodes: [
      { id: SID, kinds: [NodeKind.Base, NodeKind.Domain] },
      { id: GROUP, kinds: [NodeKind.Base, NodeKind.Group] },
      ...places.map((at) => ({ id: host(at), kinds: [NodeKind.Base, NodeKind.Computer] })),
      ...places.map((at) => ({ id: localGroup(at), kinds: [NodeKind.Base, NodeKind.ADLocalGroup] })),
    ],
    edges: [
      ...places.map((at): TestEdge => [GROUP, EdgeKind.MemberOfLocalGroup, localGroup(at)]),
      ...places.map((at): TestEdge => [localGroup(at), EdgeKind.LocalToComputer, host(at)]),
      [localGroup(last), EdgeKind.RemoteInteractiveLogonRight, host(last)],
    ],
  });
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  const none = NodeSet.empty(test.graph.nodeCount);
  const catalog = new RepairCatalog(context, ruleKinds());
  const labels = new StepLabels(context, catalog, { zone: none, groups: none, scope: 'all' });
  const alternatives = new Alternatives(context, labels);
  const held = alternatives.held({
    node: test.node(host(last)),
    kinds: ['RemoteInteractiveLogonRight'],
    everybody: 'no',
  });
  const found = alternatives.of(test.node(GROUP), held);
  return found.map((each) => each.map((label) => catalog.repairs[label].id.replaceAll(host(last), 'HOST')));
}

it('are the same for a group in the local groups of many hosts', () => {
  const ofOne = alternativesOf(1);
  expect(ofOne).toHaveLength(1);
  expect(ofOne[0].length).toBeGreaterThan(1);
  expect(alternativesOf(200)).toEqual(ofOne);
});
