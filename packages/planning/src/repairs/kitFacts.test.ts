/** Facts of changes: each kind has all facts that its change needs, or states which ones were not collected. */
import { AnalysisContext, defaultOptions, type EdgeRef } from '@clew/analysis';
import type { JsonObject } from '@clew/graph';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { kitFacts, NEEDED_FACTS } from './kitFacts.ts';
import type { KitFactName, KitFacts } from './kitFactTypes.ts';
import { addPolicyUnit } from './policyMembers.ts';
import type { Repair } from './repair.ts';
import { DEFAULT_COSTS, type RepairKind } from './repairKinds.ts';

const SID = 'S-1-5-21-1-2-3';
const guid = (at: number): string => `0000000${at}-AAAA-BBBB-CCCC-DDDDDDDDDDDD`;
const TENANT = guid(9);
const ID = {
  domain: SID,
  user: `${SID}-1104`,
  admin: `${SID}-500`,
  group: `${SID}-1105`,
  enterprise: `${SID}-519`,
  host: `${SID}-1106`,
  controller: `${SID}-1000`,
  local: `${SID}-1106-544`,
  builtin: 'CORP.EXAMPLE-S-1-5-32-548',
  unit: guid(1),
  policy: guid(2),
  template: guid(3),
  authority: guid(4),
  role: `62E90394-69F5-4237-9190-012177145E10@${TENANT}`,
  cloud: guid(5),
  cloudGroup: guid(6),
  application: guid(7),
  subscription: '/SUBSCRIPTIONS/1',
} as const;

const NODES: readonly (readonly [id: string, kind: NodeKindName, name: string])[] = [
  [ID.domain, 'Domain', 'CORP.EXAMPLE'],
  [ID.user, 'User', 'ANN@CORP.EXAMPLE'],
  [ID.admin, 'User', 'ADMINISTRATOR@CORP.EXAMPLE'],
  [ID.group, 'Group', 'STAFF@CORP.EXAMPLE'],
  [ID.enterprise, 'Group', 'ENTERPRISE ADMINS@CORP.EXAMPLE'],
  [ID.builtin, 'Group', 'ACCOUNT OPERATORS@CORP.EXAMPLE'],
  [ID.host, 'Computer', 'HOST.CORP.EXAMPLE'],
  [ID.controller, 'Computer', 'DC.CORP.EXAMPLE'],
  [ID.local, 'ADLocalGroup', 'ADMINISTRATORS@HOST.CORP.EXAMPLE'],
  [ID.unit, 'OU', 'HOSTS@CORP.EXAMPLE'],
  [ID.policy, 'GPO', 'POLICY@CORP.EXAMPLE'],
  [ID.template, 'CertTemplate', 'WEB@CORP.EXAMPLE'],
  [ID.authority, 'EnterpriseCA', 'CA@CORP.EXAMPLE'],
  [ID.role, 'AZRole', 'GLOBAL ADMINISTRATOR@TENANT'],
  [ID.cloud, 'AZUser', 'ANN@TENANT'],
  [ID.cloudGroup, 'AZGroup', 'ADMINS@TENANT'],
  [ID.application, 'AZApp', 'APP@TENANT'],
  [ID.subscription, 'AZSubscription', 'MAIN'],
];

const POLICY_NAME = 'CN={31B2F340-016D-11D2-945F-00C04FB984F9},CN=POLICIES,CN=SYSTEM,DC=CORP,DC=EXAMPLE';

const propertiesOf = (kind: NodeKindName): JsonObject =>
  kind.startsWith('AZ')
    ? { tenantid: TENANT }
    : { domainsid: SID, collected: true, ...(kind === 'GPO' && { distinguishedname: POLICY_NAME }) };

type Name = keyof typeof ID;
type Fact = readonly [start: Name, kind: EdgeKindName, end: Name, flags?: number];

const STRUCTURE: readonly Fact[] = [
  ['controller', 'DCFor', 'domain'],
  ['domain', 'Contains', 'unit'],
  ['unit', 'Contains', 'host'],
  ['local', 'LocalToComputer', 'host'],
  ['host', 'HostsCAService', 'authority'],
  ['user', 'GenericAll', 'unit', EdgeFlag.Acl],
  ['user', 'GenericAll', 'host', EdgeFlag.Acl | EdgeFlag.Inherited],
  ['user', 'MemberOfLocalGroup', 'local'],
  ['host', 'HasSession', 'admin'],
];

/** One change of each kind: the changed object, the principal, and the removed relationships. */
const CASES: Readonly<Record<RepairKind, readonly [object: Name, principal: Name | null, ...Fact[]]>> = {
  'template-subject': ['template', null],
  'template-approval': ['template', null],
  'template-security-extension': ['template', null],
  'authority-san-flag': ['authority', null],
  'authority-web-enrollment': ['authority', null],
  'authority-rpc-encryption': ['authority', null],
  'authority-extensions': ['authority', null],
  'controllers-certificate-binding': ['domain', null],
  'controllers-certificate-mapping': ['domain', null],
  'controllers-ldap-signing': ['domain', null],
  'controllers-channel-binding': ['domain', null],
  'controllers-netlogon-exceptions': ['domain', null],
  'computer-smb-signing': ['host', null],
  'domain-smb-signing': ['domain', null],
  'domain-computer-quota': ['domain', null],
  'remove-permission': ['host', 'user', ['user', 'GenericAll', 'host']],
  'change-owner': ['template', 'user', ['user', 'OwnsRaw', 'template']],
  'remove-enrollment': ['template', 'group', ['group', 'Enroll', 'template']],
  'unpublish-template': ['authority', 'template', ['template', 'PublishedTo', 'authority']],
  'remove-member': ['builtin', 'user', ['user', 'MemberOf', 'builtin']],
  'remove-local-member': ['local', 'user', ['user', 'MemberOfLocalGroup', 'local']],
  'remove-policy-member': ['unit', 'user', ['user', 'MemberOfLocalGroup', 'local']],
  'remove-logon-right': ['host', 'group', ['group', 'RemoteInteractiveLogonRight', 'host']],
  'keep-off': ['host', 'admin', ['host', 'HasSession', 'admin']],
  'separate-logons': ['domain', null, ['host', 'HasSession', 'admin']],
  'unlink-policy': ['policy', 'unit', ['policy', 'GPLink', 'unit']],
  'move-object': ['host', 'unit', ['unit', 'Contains', 'host']],
  'remove-delegation': ['host', 'controller', ['host', 'AllowedToDelegate', 'controller']],
  'clear-sid-history': ['user', 'group', ['user', 'HasSIDHistory', 'group']],
  'filter-trust': ['domain', 'domain', ['domain', 'SpoofSIDHistory', 'domain']],
  'protect-host': ['authority', 'host', ['host', 'GoldenCert', 'authority']],
  'remove-role': ['role', 'cloud', ['cloud', 'AZRoleEligible', 'role']],
  unsynchronize: ['cloud', 'user', ['cloud', 'SyncedToADUser', 'user']],
  'remove-relation': ['cloud', 'group', ['group', 'AZOwns', 'cloud']],
};

function factsOf(kind: RepairKind, leftOut: readonly Name[] = []): KitFacts {
  const [object, principal, ...removed] = CASES[kind];
  const nodes = NODES.filter(([id]) => !leftOut.some((name) => ID[name] === id));
  const isThere = ([start, , end]: Fact): boolean => !leftOut.includes(start) && !leftOut.includes(end);
  const all = [...STRUCTURE, ...removed].filter(isThere);
  const distinct = new Map(all.map((fact) => [`${fact[0]} ${fact[1]} ${fact[2]}`, fact]));
  // The structure says which entries are inherited.
  for (const fact of STRUCTURE.filter(isThere)) distinct.set(`${fact[0]} ${fact[1]} ${fact[2]}`, fact);
  const edges = [...distinct.values()].map(
    ([start, name, end, flags = 0]): TestEdge => [ID[start], EdgeKind[name], ID[end], flags],
  );
  const test = graphOf({
    nodes: nodes.map(([id, name, text]) => ({
      ...{ id, name: text, environment: SID },
      kinds: [NodeKind.Base, NodeKind[name]],
      props: propertiesOf(name),
    })),
    edges,
  });
  if (kind === 'remove-policy-member')
    addPolicyUnit(test.edgeProperties, test.node(ID.user), test.node(ID.local), ID.unit);
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  const refOf = ([start, name, end]: Fact): EdgeRef => ({
    ...{ start: test.node(ID[start]), kind: EdgeKind[name], end: test.node(ID[end]) },
  });
  const repair: Repair = {
    ...{ id: `${kind} test`, kind, object: test.node(ID[object]) },
    ...(principal !== null && { principal: test.node(ID[principal]) }),
    edgeKinds: removed.map(([, name]) => name),
    change: { removed: removed.map(refOf), properties: [] },
  };
  return kitFacts({ context, tierZero: context.nodesOf('Computer') }, repair);
}

const KINDS = Object.keys(DEFAULT_COSTS) as RepairKind[];

/** Facts that no collector reports today. */
const NEVER: ReadonlySet<KitFactName> = new Set(['target', 'policies', 'trust']);

describe('facts of a change', () => {
  it.each(KINDS)('are all there, or named as missing: %s', (kind) => {
    const found = factsOf(kind);
    expect(Object.keys(found.facts).sort()).toEqual([...NEEDED_FACTS[kind]].sort());
    for (const name of NEEDED_FACTS[kind]) {
      const fact = found.facts[name];
      if (NEVER.has(name)) expect(fact).toEqual({ missing: expect.stringMatching(/^[A-Z].{20,}\.$/) });
      else expect(fact, name).toHaveProperty('value');
    }
    for (const object of [found.object, ...(found.principal === undefined ? [] : [found.principal])]) {
      expect(object.kind).not.toBe('');
      // A local group is identified by its host and the fact `group`.
      if (object.kind !== 'ADLocalGroup') expect(object.sid ?? object.guid).not.toBeNull();
      if (object.kind.startsWith('AZ')) expect(object.tenant).toBe(TENANT.toLowerCase());
      else expect(object.domain).toEqual({ sid: SID, name: 'CORP.EXAMPLE' });
    }
  });

  it('name the host of an authority, the controllers, and the container of an inherited entry', () => {
    expect(factsOf('authority-san-flag').facts.host).toMatchObject({ value: { name: 'HOST.CORP.EXAMPLE' } });
    expect(factsOf('controllers-ldap-signing').facts.controllers).toMatchObject({
      value: [{ name: 'DC.CORP.EXAMPLE', sid: ID.controller }],
    });
    const { facts, removed } = factsOf('remove-permission');
    expect(removed).toMatchObject([{ relation: 'GenericAll', isInherited: true }]);
    expect(facts.container).toMatchObject({ value: { guid: ID.unit.toLowerCase() } });
  });

  it('name built-in groups by SID and domain, and local groups by SID and host', () => {
    expect(factsOf('remove-member').object).toMatchObject({ sid: 'S-1-5-32-548', domain: { sid: SID } });
    const { object, facts } = factsOf('remove-local-member');
    expect(object.sid).toBeNull();
    expect(facts).toMatchObject({
      ...{ group: { value: 'S-1-5-32-544' }, host: { value: { sid: ID.host } }, policy: { value: null } },
    });
    expect(factsOf('remove-policy-member').facts.policy).toMatchObject({
      value: { units: [{ guid: ID.unit.toLowerCase() }], relativeId: '544', hosts: 1 },
    });
  });

  it('name a policy as links name it', () => {
    expect(factsOf('unlink-policy').facts['policy-name']).toEqual({ value: POLICY_NAME.toLowerCase() });
  });

  it('say which owner an object of the configuration gets, and whether a role is eligible', () => {
    expect(factsOf('change-owner').facts['new-owner']).toEqual({ value: ID.enterprise });
    expect(factsOf('remove-role').facts.assignment).toEqual({ value: 'eligible' });
  });

  /** Facts of removing a relationship of the cloud user. */
  const inTenant = (
    kind: RepairKind,
    name: EdgeKindName,
    end: Name,
    props: JsonObject,
    ofEdge?: JsonObject,
  ) => {
    const test = graphOf({
      nodes: [
        { id: ID.cloud, kinds: [NodeKind.AZBase, NodeKind.AZUser], props: { tenantid: TENANT } },
        {
          ...{ id: ID[end], props: { tenantid: TENANT, ...props } },
          kinds: [NodeKind.AZBase, NodeKind[NODES.find(([id]) => id === ID[end])![1]]],
        },
      ],
      edges: [[ID.cloud, EdgeKind[name], ID[end]]],
    });
    const edge = { start: test.node(ID.cloud), kind: EdgeKind[name], end: test.node(ID[end]) };
    if (ofEdge !== undefined) test.edgeProperties.set(edge.start, edge.kind, edge.end, ofEdge);
    const context = new AnalysisContext({ ...test, options: defaultOptions() });
    return kitFacts(
      { context, tierZero: undefined },
      {
        ...{ id: 'test', kind, object: edge.end, principal: edge.start, edgeKinds: [name] },
        change: { removed: [edge], properties: [] },
      },
    );
  };

  it('say how members of a group of Entra ID are changed', () => {
    const groupOf = (props: JsonObject) =>
      inTenant('remove-member', 'AZMemberOf', 'cloudGroup', props).facts['cloud-group'];
    expect(groupOf({})).toEqual({
      value: { isRoleAssignable: null, isSynchronized: false, onPremisesSid: null, hasRule: false },
    });
    const synchronized = { onpremsyncenabled: true, onpremid: ID.group, isassignabletorole: false };
    expect(groupOf(synchronized)).toEqual({
      value: { isRoleAssignable: false, isSynchronized: true, onPremisesSid: ID.group, hasRule: false },
    });
    expect(groupOf({ isassignabletorole: true, membershiprule: 'a -eq b', onpremid: "'" })).toEqual({
      value: { isRoleAssignable: true, isSynchronized: false, onPremisesSid: null, hasRule: true },
    });
  });

  it('name the scopes of assignments that are above the object, and the object id of an application', () => {
    const scopesOf = (ofEdge?: JsonObject) =>
      inTenant('remove-relation', 'AZOwner', 'subscription', {}, ofEdge).facts['assignment-scopes'];
    expect(scopesOf()).toEqual({ value: [] });
    expect(scopesOf({ assignmentscopes: ['/', '/SUBSCRIPTIONS/1'] })).toEqual({
      value: ['/', '/SUBSCRIPTIONS/1'],
    });
    const { object } = inTenant('remove-relation', 'AZOwns', 'application', { applicationobjectid: guid(8) });
    expect(object).toMatchObject({ applicationObjectId: guid(8).toLowerCase(), guid: guid(7).toLowerCase() });
  });

  it('name the sessions and accounts of logons, and hosts of Tier Zero below the place', () => {
    const { facts } = factsOf('separate-logons');
    expect(facts.sessions).toMatchObject({
      value: [{ computer: { sid: ID.host }, account: { sid: ID.admin } }],
    });
    expect(facts.accounts).toMatchObject({ value: [{ sid: ID.admin }] });
    // Hosts anywhere in the domain, because administrators choose where to link the policy.
    const hosts = { value: expect.arrayContaining([expect.objectContaining({ sid: ID.controller })]) };
    expect(facts['tier-zero-hosts']).toEqual(hosts);
    expect(factsOf('keep-off').facts['tier-zero-hosts']).toEqual(hosts);
  });

  it('are missing where the collection lacks them', () => {
    const lacks = { missing: expect.any(String) };
    expect(factsOf('authority-san-flag', ['host']).facts.host).toEqual(lacks);
    expect(factsOf('controllers-ldap-signing', ['controller']).facts.controllers).toEqual(lacks);
    expect(factsOf('change-owner', ['enterprise']).facts['new-owner']).toEqual(lacks);
    expect(factsOf('remove-permission', ['unit']).facts.container).toEqual(lacks);
    expect(factsOf('keep-off', ['unit']).facts.unit).toEqual(lacks);
  });
});
