/** Random small forests for property tests: two domains, every kind of object, edges of every kind used in a list. */

import { noMarks, setMark } from '@clew/generation';
import { graphOf, type TestEdge, type TestNode } from '@clew/graph/testing';
import { EdgeFlag, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import fc from 'fast-check';
import { type QueryData, queryDataOf } from '../src/queryData.ts';
import { generationOf } from './generations.ts';
import { edgeParts, type PlausibleEdge, pickedEdge } from './randomEdges.ts';

export interface Forest {
  readonly data: QueryData;
  node(id: string): number;
}

const KINDS: readonly NodeKindName[] = [
  'User',
  'User',
  'User',
  'Computer',
  'Computer',
  'Group',
  'Group',
  'Group',
  'OU',
  'OU',
  'Container',
  'GPO',
  'GPO',
  'AIACA',
  'RootCA',
  'EnterpriseCA',
  'NTAuthStore',
  'CertTemplate',
  'IssuancePolicy',
  'ADLocalGroup',
];

/** Ends of likely edges; besides them, any edge may join any nodes. */
const PLAUSIBLE: readonly PlausibleEdge[] = [
  ['User', 'MemberOf', 'Group'],
  ['Computer', 'MemberOf', 'Group'],
  ['Group', 'MemberOf', 'Group'],
  ['Group', 'MemberOf', 'Group'],
  ['Computer', 'HasSession', 'User'],
  ['Group', 'AdminTo', 'Computer'],
  ['User', 'AdminTo', 'Computer'],
  ['Group', 'CanRDP', 'Computer'],
  ['Group', 'GenericAll', 'Group'],
  ['User', 'Owns', 'CertTemplate'],
  ['Group', 'WriteDacl', 'GPO'],
  ['Domain', 'Contains', 'OU'],
  ['OU', 'Contains', 'OU'],
  ['OU', 'Contains', 'User'],
  ['OU', 'Contains', 'Container'],
  ['Container', 'Contains', 'User'],
  ['GPO', 'GPLink', 'OU'],
  ['GPO', 'GPLink', 'Domain'],
  ['Domain', 'SameForestTrust', 'Domain'],
  ['User', 'DCSync', 'Domain'],
  ['User', 'ADCSESC1', 'Domain'],
  ['CertTemplate', 'PublishedTo', 'EnterpriseCA'],
  ['EnterpriseCA', 'TrustedForNTAuth', 'NTAuthStore'],
  ['EnterpriseCA', 'IssuedSignedBy', 'RootCA'],
  ['CertTemplate', 'ExtendedByPolicy', 'IssuancePolicy'],
  ['User', 'AllowedToDelegate', 'Computer'],
  ['Computer', 'AllowedToDelegate', 'Computer'],
  ['Group', 'CanPSRemote', 'Computer'],
  ['Group', 'ExecuteDCOM', 'Computer'],
  ['User', 'CanPSRemote', 'Computer'],
  ['Computer', 'ExecuteDCOM', 'Computer'],
  ['Group', 'CanBackup', 'Computer'],
  ['User', 'SQLAdmin', 'Computer'],
  ['OU', 'Contains', 'OU'],
  ['OU', 'Contains', 'OU'],
  ['OU', 'Contains', 'Computer'],
  ['OU', 'Contains', 'Group'],
  ['GPO', 'GPLink', 'OU'],
  // Not plausible, but possible in an upload.
  ['User', 'MemberOf', 'Computer'],
];

const ANY_KIND: readonly EdgeKindName[] = [...new Set(PLAUSIBLE.map(([, kind]) => kind))].concat([
  'CrossForestTrust',
  'HostsCAService',
  'EnterpriseCAFor',
  'RootCAFor',
  'NTAuthStoreFor',
  'GoldenCert',
  'OwnsRaw',
  'LocalToComputer',
]);

const DOMAINS = ['S-1-5-21-1', 'S-1-5-21-2'];

const nodeSpec = fc.record({
  kind: fc.constantFrom(...KINDS),
  domain: fc.constantFrom(0, 0, 1, 2),
  marks: fc.nat({ max: 7 }),
});

const edgeSpec = fc.record({ ...edgeParts(PLAUSIBLE, ANY_KIND), enforced: fc.boolean() });

export function forests(size = { nodes: 26, edges: 110 }): fc.Arbitrary<Forest> {
  return fc
    .record({
      nodes: fc.array(nodeSpec, { minLength: 20, maxLength: size.nodes, size: 'max' }),
      edges: fc.array(edgeSpec, { minLength: 40, maxLength: size.edges, size: 'max' }),
    })
    .map(({ nodes, edges }) => {
      const all: (TestNode & { readonly kind: NodeKindName; readonly marks: number })[] = [
        ...DOMAINS.map((id) => ({
          id,
          kind: 'Domain' as const,
          environment: id,
          marks: 0,
          name: `DOMAIN ${id}`,
        })),
        ...nodes.map(({ kind, domain, marks }, at) => ({
          // The third domain was never collected: only the ids of its principals are known.
          id: `${domain === 2 ? 'S-1-5-21-3' : DOMAINS[domain]}-${1100 + at}`,
          kind,
          environment: DOMAINS[domain],
          marks,
          name: `${kind.toUpperCase()} ${at % 5}`,
        })),
      ].map((node) => ({ ...node, kinds: [NodeKind.Base, NodeKind[node.kind]] }));
      const { graph, node } = graphOf({
        nodes: all,
        edges: edges.map(
          (edge): TestEdge => [...pickedEdge(all, edge), edge.enforced ? EdgeFlag.Enforced : 0],
        ),
      });
      const marks = noMarks(graph.nodeCount);
      for (const { id, kind, marks: bits } of all) {
        if ((bits & 1) !== 0) setMark(marks, 'tierZero', node(id));
        if ((bits & 2) !== 0 && kind === 'OU') setMark(marks, 'blocksInheritance', node(id));
      }
      return { data: queryDataOf(generationOf(graph, { marks })), node };
    });
}
