/** Small random tenants: roles with holders of all kinds, groups, applications, permissions on Microsoft Graph, one synchronized user. */
import type { JsonObject } from '@clew/graph';
import { graphOf, type TestEdge, type TestGraph, type TestNode } from '@clew/graph/testing';
import { EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import fc from 'fast-check';
import { RoleTemplate } from '../../src/azure/roleTemplates.ts';

const TENANT = 'T';
const AD_USER = 'S-1-5-21-1-2-3-1105';
const USERS = ['U1', 'U2', 'U3'];
const GROUPS = ['G1', 'G2'];
const SERVICES = ['S1', 'S2'];
const ROLES = Object.entries(RoleTemplate).map(([name, template]) => [`ROLE ${name}`, template] as const);
const PERMISSIONS: readonly EdgeKindName[] = [
  'AZMGApplication_ReadWrite_All',
  'AZMGAppRoleAssignment_ReadWrite_All',
  'AZMGDirectory_ReadWrite_All',
  'AZMGGroup_ReadWrite_All',
  'AZMGGroupMember_ReadWrite_All',
  'AZMGRoleManagement_ReadWrite_Directory',
  'AZMGServicePrincipalEndpoint_ReadWrite_All',
];

const some = <Verb extends string>(
  from: readonly string[],
  verbs: readonly Verb[],
  to: readonly string[],
  most: number,
) =>
  fc.array(fc.tuple(fc.constantFrom(...from), fc.constantFrom(...verbs), fc.constantFrom(...to)), {
    maxLength: most,
  });

export const randomTenants = fc.record({
  assignable: fc.array(fc.boolean(), { minLength: GROUPS.length, maxLength: GROUPS.length }),
  holds: some(
    [...USERS, ...GROUPS, ...SERVICES],
    ['AZHasRole'],
    ROLES.map(([id]) => id),
    8,
  ),
  memberships: some([...USERS, ...SERVICES], ['AZMemberOf'], GROUPS, 5),
  permissions: some(SERVICES, PERMISSIONS, SERVICES, 4),
  approvers: fc.subarray([...USERS.slice(0, 2), 'G1']),
  isSynchronized: fc.boolean(),
});

export type RandomTenant = typeof randomTenants extends fc.Arbitrary<infer Value> ? Value : never;

export function tenantOf(spec: RandomTenant): TestGraph {
  const contents: (readonly [id: string, kind: NodeKindName, props?: JsonObject])[] = [
    ...USERS.map((id) => [id, 'AZUser'] as const),
    ['CLOUD', 'AZUser', { onpremid: AD_USER, onpremsyncenabled: spec.isSynchronized }],
    ...GROUPS.map((id, at) => [id, 'AZGroup', { isassignabletorole: spec.assignable[at] }] as const),
    ...SERVICES.map((id) => [id, 'AZServicePrincipal'] as const),
    ['APP', 'AZApp'],
    ['DEVICE', 'AZDevice', { operatingsystem: 'Windows' }],
    ...ROLES.map(([id, templateid]) => [id, 'AZRole', { templateid, tenantid: TENANT }] as const),
    ['GUARDED', 'AZRole', guarded(spec.approvers)],
  ];
  const nodes: TestNode[] = [
    { id: TENANT, kinds: [NodeKind.AZBase, NodeKind.AZTenant] },
    { id: AD_USER, kinds: [NodeKind.Base, NodeKind.User] },
    ...contents.map(([id, kind, props]) => ({ id, kinds: [NodeKind.AZBase, NodeKind[kind]], props })),
  ];
  const facts = new Map(
    [...spec.holds, ...spec.memberships, ...spec.permissions].map((fact) => [fact.join(' '), fact]),
  );
  const edges: TestEdge[] = [
    ...contents.map(([id]): TestEdge => [TENANT, EdgeKind.AZContains, id]),
    ...[...facts.values()].map(([start, kind, end]): TestEdge => [start, EdgeKind[kind], end]),
  ];
  return graphOf({ nodes, edges });
}

const guarded = (approvers: readonly string[]): JsonObject => ({
  ...{ templateid: 'guarded', tenantid: TENANT, enduserassignmentrequiresapproval: true },
  enduserassignmentuserapprovers: approvers.filter((id) => USERS.includes(id)),
  enduserassignmentgroupapprovers: approvers.filter((id) => GROUPS.includes(id)),
});
