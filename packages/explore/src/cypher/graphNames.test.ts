/** Tests names for editors: existing ones, and for a user with some environments those of visible objects. */
import { type Generation, noMarks } from '@clew/generation';
import { GraphBuilder } from '@clew/graph';
import { EdgeKind, NodeKind } from '@clew/model';
import { queryDataOf } from '@clew/queries';
import { expect, test } from 'vitest';
import { graphNames } from './graphNames.ts';

const builder = new GraphBuilder();
const NODES = [
  { objectId: 'A', kinds: [NodeKind.Base, NodeKind.Domain], environmentStoreId: 1 },
  { objectId: 'B', kinds: [NodeKind.Base, NodeKind.Domain], environmentStoreId: 2 },
  { objectId: 'C', kinds: [NodeKind.Base, NodeKind.User], environmentStoreId: 1 },
  { objectId: 'D', kinds: [NodeKind.Base, NodeKind.Group], environmentStoreId: 1 },
  { objectId: 'E', kinds: [NodeKind.Base, NodeKind.Computer], environmentStoreId: 2 },
];
for (const [at, node] of NODES.entries()) builder.addNode({ ...node, storeId: at + 1, name: node.objectId });
builder.addEdge(2, EdgeKind.MemberOf, 3, 0);
builder.addEdge(2, EdgeKind.AdminTo, 4, 0);
const graph = builder.build();
const none = { nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 };
const generation: Generation = {
  ...{ id: 1, publishedAt: '2026-01-01T00:00:00.000000Z', graph, marks: noMarks(graph.nodeCount) },
  ...{ environments: [], collected: none, derived: none },
  ...{ customNodeKinds: new Map(), customEdgeKinds: new Map() },
};
const data = queryDataOf(generation);

test('labels and types are existing ones', () => {
  const names = graphNames(data, generation, undefined, ['name', 'enabled']);
  expect(names.labels).toEqual(['Base', 'Computer', 'Domain', 'Group', 'User']);
  expect(names.types.slice(0, 2)).toEqual(['AdminTo', 'MemberOf']);
  expect(names.types).toContain('ALL_ATTACK_PATHS');
  expect(names.properties).toEqual(['enabled', 'name']);
  expect(names.relationshipProperties).toContain('isacl');
});

test('a hidden object adds no names, nor do relationships to it', () => {
  const own = graph.environmentOf[2];
  const names = graphNames(data, generation, (node) => graph.environmentOf[node] !== own, []);
  expect(names.labels).toEqual(['Base', 'Domain', 'Group', 'User']);
  expect(names.types[0]).toBe('MemberOf');
  expect(names.types).not.toContain('AdminTo');
});
