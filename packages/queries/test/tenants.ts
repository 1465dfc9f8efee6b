/** Random small tenants for property tests: every kind of Azure object, edges of every kind used in a list. */

import { AZURE_ENTITY_TYPES } from '@clew/api';
import { noMarks, setMark } from '@clew/generation';
import { graphOf } from '@clew/graph/testing';
import { EDGE_KINDS, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import fc from 'fast-check';
import { type QueryData, queryDataOf } from '../src/queryData.ts';
import { generationOf } from './generations.ts';
import { edgeParts, type PlausibleEdge, pickedEdge } from './randomEdges.ts';

const KINDS: readonly NodeKindName[] = [
  ...AZURE_ENTITY_TYPES.map(({ kind }) => kind),
  'AZUser',
  'AZUser',
  'AZGroup',
  'AZGroup',
  'AZGroup',
  'AZRole',
  'AZServicePrincipal',
];

/** Ends of likely edges; besides them, any edge may join any nodes. */
const PLAUSIBLE: readonly PlausibleEdge[] = [
  ['AZUser', 'AZMemberOf', 'AZGroup'],
  ['AZUser', 'AZMemberOf', 'AZGroup'],
  ['AZServicePrincipal', 'AZMemberOf', 'AZGroup'],
  ['AZGroup', 'AZMemberOf', 'AZGroup'],
  ['AZUser', 'AZHasRole', 'AZRole'],
  ['AZGroup', 'AZHasRole', 'AZRole'],
  ['AZGroup', 'AZHasRole', 'AZRole'],
  ['AZGroup', 'AZRoleEligible', 'AZRole'],
  ['AZUser', 'AZRoleEligible', 'AZRole'],
  ['AZUser', 'AZRoleApprover', 'AZRole'],
  ['AZTenant', 'AZContains', 'AZUser'],
  ['AZTenant', 'AZContains', 'AZManagementGroup'],
  ['AZManagementGroup', 'AZContains', 'AZSubscription'],
  ['AZSubscription', 'AZContains', 'AZResourceGroup'],
  ['AZResourceGroup', 'AZContains', 'AZVM'],
  ['AZResourceGroup', 'AZContains', 'AZKeyVault'],
  ['AZUser', 'AZOwner', 'AZSubscription'],
  ['AZGroup', 'AZContributor', 'AZResourceGroup'],
  ['AZGroup', 'AZContributor', 'AZKeyVault'],
  ['AZUser', 'AZGetKeys', 'AZKeyVault'],
  ['AZGroup', 'AZGetSecrets', 'AZKeyVault'],
  ['AZServicePrincipal', 'AZGetCertificates', 'AZKeyVault'],
  ['AZUser', 'AZOwns', 'AZGroup'],
  ['AZVM', 'AZManagedIdentity', 'AZServicePrincipal'],
  ['AZUser', 'AZVMAdminLogin', 'AZVM'],
  ['AZGroup', 'AZExecuteCommand', 'AZDevice'],
  ['AZDevice', 'AZMemberOf', 'AZGroup'],
  ['AZServicePrincipal', 'AZMGApplication_ReadWrite_All', 'AZServicePrincipal'],
  ['AZServicePrincipal', 'AZMGAddOwner', 'AZApp'],
  ['AZFederatedIdentityCredential', 'AZAuthenticatesTo', 'AZApp'],
  ['AZRole', 'AZResetPassword', 'AZUser'],
];

const ANY_KIND = EDGE_KINDS.filter(({ platform }) => platform === 'azure').map(
  ({ name }) => name as EdgeKindName,
);

const edgeSpec = fc.record(edgeParts(PLAUSIBLE, ANY_KIND));

export function tenants(): fc.Arbitrary<QueryData> {
  return fc
    .record({
      nodes: fc.array(fc.record({ kind: fc.constantFrom(...KINDS), marked: fc.boolean() }), {
        minLength: 25,
        maxLength: 40,
        size: 'max',
      }),
      edges: fc.array(edgeSpec, { minLength: 40, maxLength: 110, size: 'max' }),
    })
    .map(({ nodes, edges }) => {
      const all = nodes.map(({ kind, marked }, at) => ({
        id: `NODE-${String(at).padStart(2, '0')}`,
        kind,
        marked,
        kinds: [...new Set([NodeKind.AZBase, NodeKind[kind]])],
      }));
      const { graph, node } = graphOf({ nodes: all, edges: edges.map((edge) => pickedEdge(all, edge)) });
      const marks = noMarks(graph.nodeCount);
      for (const { id, kind, marked } of all) {
        if (marked && kind === 'AZGroup') setMark(marks, 'roleAssignable', node(id));
      }
      return queryDataOf(generationOf(graph, { marks }));
    });
}
