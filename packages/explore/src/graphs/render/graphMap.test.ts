import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, type EdgeKindName, NodeKind } from '@clew/model';
import type { queryDataOf } from '@clew/queries';
import { expect, it } from 'vitest';
import { edgeFlagProperties } from './graphMap.ts';

const { HasAcl, Acl, Inherited, Enforced, PrimaryGroup, Derived } = EdgeFlag;

function propertiesOf(kind: EdgeKindName, flags: number): Record<string, boolean> {
  const edge: TestEdge = ['A', EdgeKind[kind], 'B', flags];
  const { graph } = graphOf({
    nodes: ['A', 'B'].map((id) => ({ id, kinds: [NodeKind.Base] })),
    edges: [edge],
  });
  const data = { graph } as ReturnType<typeof queryDataOf>;
  return edgeFlagProperties(data, 0);
}

// A flag that is not set is reported for kinds that have it: `docs/reference/collections.md`, edge properties.
it.each<[EdgeKindName, number, Record<string, boolean>]>([
  ['GPLink', HasAcl, { isacl: false, enforced: false }],
  ['GPLink', HasAcl | Enforced, { isacl: false, enforced: true }],
  ['MemberOf', HasAcl, { isacl: false, isprimarygroup: false }],
  ['MemberOf', HasAcl | PrimaryGroup, { isacl: false, isprimarygroup: true }],
  ['MemberOf', Derived, { derived: true }],
  ['GenericAll', HasAcl | Acl, { isacl: true, isinherited: false }],
  ['GenericAll', HasAcl | Acl | Inherited, { isacl: true, isinherited: true }],
  ['Contains', HasAcl, { isacl: false }],
  ['HasSession', 0, {}],
])('%s with flags %i', (kind, flags, expected) => {
  expect(propertiesOf(kind, flags)).toEqual(expected);
});
