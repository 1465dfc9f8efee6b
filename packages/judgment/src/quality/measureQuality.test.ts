import type { Environment } from '@clew/generation';
import { NodeSet } from '@clew/graph';
import { graphOf, type TestEdge, type TestNode } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import { describe, expect, test } from 'vitest';
import { measureQuality } from './measureQuality.ts';

const NOW = 1_800_000_000;
const DAY = 86_400;

const computer = (id: string, props: object): TestNode => ({
  id,
  kinds: [NodeKind.Base, NodeKind.Computer],
  environment: 'ONE',
  props: { enabled: true, ...props },
});

const nodes: readonly TestNode[] = [
  { id: 'ONE', kinds: [NodeKind.Base, NodeKind.Domain], environment: 'ONE' },
  { id: 'TWO', kinds: [NodeKind.Base, NodeKind.Domain], environment: 'TWO' },
  { id: 'CLOUD', kinds: [NodeKind.AZBase, NodeKind.AZTenant], environment: 'CLOUD' },
  computer('C1', { lastlogon: NOW - 14 * DAY, lastlogontimestamp: -1 }),
  computer('C2', { lastlogon: 0, lastlogontimestamp: NOW - 3 * DAY }),
  computer('C3', { lastlogon: NOW - 1 * DAY, enabled: false }),
  computer('C4', { lastlogon: NOW - 15 * DAY }),
  computer('C5', {}),
  { id: 'U1', kinds: [NodeKind.Base, NodeKind.User], environment: 'ONE' },
  { id: 'U2', kinds: [NodeKind.Base, NodeKind.User], environment: 'TWO' },
  { id: 'A1', kinds: [NodeKind.AZBase, NodeKind.AZUser], environment: 'CLOUD' },
  { id: 'NOWHERE', kinds: [NodeKind.Base] },
];

const edges: readonly TestEdge[] = [
  ['U2', EdgeKind.GenericAll, 'U1', EdgeFlag.HasAcl | EdgeFlag.Acl],
  ['U1', EdgeKind.GenericAll, 'U2', EdgeFlag.HasAcl | EdgeFlag.Acl],
  ['C1', EdgeKind.HasSession, 'U2', EdgeFlag.HasAcl],
  ['U1', EdgeKind.MemberOf, 'NOWHERE'],
  ['NOWHERE', EdgeKind.MemberOf, 'NOWHERE'],
  ['U1', EdgeKind.AdminTo, 'C1', EdgeFlag.Derived],
  ['CLOUD', EdgeKind.AZContains, 'A1'],
];

describe('the quality of collected data', () => {
  const { graph, properties, node } = graphOf({ nodes, edges });
  const environment = (id: string, type: string, collected = true): Environment => ({
    id,
    name: id,
    type,
    node: node(id),
    collected,
  });
  const measure = (environments: readonly Environment[]) =>
    measureQuality({
      graph,
      environments,
      properties,
      scanned: {
        sessions: NodeSet.of(graph.nodeCount, ['C1', 'C3', 'C4'].map(node)),
        localGroups: NodeSet.of(graph.nodeCount, ['C1', 'C2'].map(node)),
      },
      now: NOW,
    });
  const [one, two, cloud] = measure([
    environment('ONE', 'active-directory'),
    environment('TWO', 'active-directory'),
    environment('CLOUD', 'azure'),
  ]);

  test('counts nodes under each of their kinds, in their environment', () => {
    expect(Object.fromEntries(one.nodes)).toEqual({
      [NodeKind.Base]: 7,
      [NodeKind.Domain]: 1,
      [NodeKind.Computer]: 5,
      [NodeKind.User]: 1,
    });
    expect(Object.fromEntries(cloud.nodes)).toEqual({
      [NodeKind.AZBase]: 2,
      [NodeKind.AZTenant]: 1,
      [NodeKind.AZUser]: 1,
    });
  });

  test('counts collected relations where they end, sessions where the computer is', () => {
    expect([one, two, cloud].map((each) => Object.fromEntries(each.edges))).toEqual([
      { [EdgeKind.GenericAll]: 1, [EdgeKind.HasSession]: 1, [EdgeKind.MemberOf]: 1 },
      { [EdgeKind.GenericAll]: 1 },
      { [EdgeKind.AZContains]: 1 },
    ]);
    expect(
      [one, two, cloud].map(({ relationships, acls, sessions }) => [relationships, acls, sessions]),
    ).toEqual([
      [3, 1, 1],
      [1, 1, 0],
      [1, 0, 0],
    ]);
  });

  test('counts enabled computers with a logon within 14 days as active, and finds those that were scanned', () => {
    expect([one.activeComputers, one.sessionComputers, one.groupComputers]).toEqual([2, 1, 2]);
    expect([two.activeComputers, two.sessionComputers, two.groupComputers]).toEqual([0, 0, 0]);
  });

  test('reports parts that were not read', () => {
    expect(one.unread).toContain('certificate-services');
    expect(one.unread).not.toContain('sessions');
    expect(two.unread).toContain('sessions');
    expect(cloud.unread).toEqual([]);
  });

  test('leaves out environments that were not collected', () => {
    const measured = measure([
      environment('ONE', 'active-directory', false),
      environment('TWO', 'active-directory'),
    ]);
    expect(measured.map((each) => each.environment.id)).toEqual(['TWO']);
    expect(measured[0].relationships).toBe(1);
  });

  test('is nothing for an empty graph', () => {
    const empty = graphOf({ nodes: [] });
    const none = NodeSet.of(0, []);
    expect(
      measureQuality({
        graph: empty.graph,
        environments: [],
        properties: empty.properties,
        scanned: { sessions: none, localGroups: none },
        now: NOW,
      }),
    ).toEqual([]);
  });
});
