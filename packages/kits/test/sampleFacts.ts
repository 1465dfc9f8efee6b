/** Facts of one change of each kind, with chosen names: ids are those of a directory, and names those of an attacker. */
import type { KitFacts, KitObject, RepairKind } from '@clew/planning';

const DOMAIN = 'S-1-5-21-1-2-3';
const TENANT = '11111111-2222-3333-4444-555555555555';
const guid = (at: number): string => `0000000${at}-aaaa-bbbb-cccc-dddddddddddd`;

interface Names {
  readonly object: string;
  readonly principal: string;
}

const inDirectory = (kind: string, name: string, id: string): KitObject => ({
  ...{ objectId: id.toUpperCase(), kind, name, tenant: null, domain: { sid: DOMAIN, name: 'CORP.EXAMPLE' } },
  sid: id.startsWith('S-1') ? id : null,
  guid: id.startsWith('S-1') ? null : id,
  distinguishedName: null,
});

const inTenant = (kind: string, name: string, id: string): KitObject => ({
  ...{ objectId: id.toUpperCase(), kind, name, tenant: TENANT, domain: null, sid: null, guid: id },
  distinguishedName: null,
});

type Relation = KitFacts['relations'][number];
type Facts = KitFacts['facts'];
type CloudGroup = Extract<Facts['cloud-group'], { readonly value: unknown }>['value'];
type Ends = { readonly object: KitObject; readonly principal?: KitObject };
type Case = (names: Names) => Ends & { readonly relations?: readonly Relation[]; readonly facts?: Facts };

const POLICY_NAME = 'cn={31b2f340-016d-11d2-945f-00c04fb984f9},cn=policies,cn=system,dc=corp,dc=example';
const user = (name: string): KitObject => inDirectory('User', name, `${DOMAIN}-1104`);
const group = (name: string): KitObject => inDirectory('Group', name, `${DOMAIN}-1105`);
const computer = (name: string): KitObject => inDirectory('Computer', name, `${DOMAIN}-1106`);
const template = (name: string): KitObject => inDirectory('CertTemplate', name, guid(1));
const authority = (name: string): KitObject => inDirectory('EnterpriseCA', name, guid(2));
const unit = (name: string): KitObject => inDirectory('OU', name, guid(3));
const policy = (name: string): KitObject => inDirectory('GPO', name, guid(4));
const domain = (name: string): KitObject => ({
  ...inDirectory('Domain', name, DOMAIN),
  domain: { sid: DOMAIN, name },
});
const local = (name: string): KitObject => ({
  ...inDirectory('ADLocalGroup', name, `${DOMAIN}-1106-544`),
  sid: null,
});

const ofTemplate: Case = ({ object }) => ({ object: template(object) });
const ofAuthority: Case = ({ object, principal }) => ({
  ...{ object: authority(object), facts: { host: { value: computer(principal) } } },
});
const ofControllers: Case = ({ object, principal }) => ({
  ...{
    object: domain(object),
    facts: { controllers: { value: [computer(principal), computer('DC.CORP.EXAMPLE')] } },
  },
});
const ofDomain: Case = ({ object }) => ({ object: domain(object) });
const logons = ({ principal }: Names): Facts => ({
  sessions: { value: [] },
  accounts: { value: [user(principal)] },
  unit: { value: unit(principal) },
  'tier-zero-hosts': { value: [computer('TIER0.CORP.EXAMPLE')] },
});

const CASES: Readonly<Record<RepairKind, Case>> = {
  'template-subject': ofTemplate,
  'template-approval': ofTemplate,
  'template-security-extension': ofTemplate,
  'authority-san-flag': ofAuthority,
  'authority-web-enrollment': ofAuthority,
  'authority-rpc-encryption': ofAuthority,
  'authority-extensions': ofAuthority,
  'controllers-certificate-binding': ofControllers,
  'controllers-certificate-mapping': ofControllers,
  'controllers-ldap-signing': ofControllers,
  'controllers-channel-binding': ofControllers,
  'controllers-netlogon-exceptions': ofControllers,
  'computer-smb-signing': ({ object }) => ({ object: computer(object) }),
  'domain-smb-signing': ofDomain,
  'domain-computer-quota': ofDomain,
  'remove-permission': ({ object, principal }) => ({
    ...{ object: computer(object), principal: user(principal), relations: ['GenericAll'] },
    facts: { container: { value: null }, protection: { value: null } },
  }),
  'change-owner': ({ object, principal }) => ({
    ...{ object: computer(object), principal: user(principal), relations: ['OwnsRaw'] },
    facts: { 'new-owner': { value: `${DOMAIN}-512` } },
  }),
  'remove-enrollment': ({ object, principal }) => ({
    ...{ object: template(object), principal: group(principal), relations: ['Enroll'] },
    facts: { container: { value: null }, protection: { value: null } },
  }),
  'unpublish-template': ({ object, principal }) => ({
    ...{ object: authority(object), principal: template(principal), relations: ['PublishedTo'] },
  }),
  'remove-member': ({ object, principal }) => ({
    ...{ object: group(object), principal: user(principal), relations: ['MemberOf'] },
    facts: { 'cloud-group': { value: null } },
  }),
  'remove-local-member': ({ object, principal }) => ({
    ...{ object: local(object), principal: user(principal), relations: ['MemberOfLocalGroup'] },
    facts: { host: { value: computer(object) }, group: { value: 'S-1-5-32-544' }, policy: { value: null } },
  }),
  'remove-policy-member': ({ object, principal }) => ({ object: unit(object), principal: user(principal) }),
  'remove-logon-right': ({ object, principal }) => ({
    object: computer(object),
    principal: group(principal),
  }),
  'keep-off': (names) => ({
    ...{ object: computer(names.object), principal: user(names.principal), facts: logons(names) },
  }),
  'separate-logons': (names) => ({
    object: domain(names.object),
    facts: {
      ...logons(names),
      'denied-services': { value: [{ account: user(names.principal), group: group(names.object) }] },
    },
  }),
  'unlink-policy': ({ object, principal }) => ({
    ...{ object: policy(object), principal: unit(principal), relations: ['GPLink'] },
    facts: { 'policy-name': { value: POLICY_NAME } },
  }),
  'move-object': ({ object, principal }) => ({
    ...{ object: computer(object), principal: unit(principal), relations: ['Contains'] },
    facts: { target: { missing: 'People name it.' } },
  }),
  'remove-delegation': ({ object, principal }) => ({
    ...{ object: computer(object), principal: computer(principal), relations: ['CoerceToTGT'] },
  }),
  'clear-sid-history': ({ object, principal }) => ({
    ...{ object: user(object), principal: group(principal), relations: ['HasSIDHistory'] },
  }),
  'filter-trust': ({ object, principal }) => ({ object: domain(object), principal: domain(principal) }),
  'protect-host': ({ object, principal }) => ({ object: authority(object), principal: computer(principal) }),
  'remove-role': ({ object, principal }) => ({
    object: {
      ...inTenant('AZRole', object, guid(5)),
      objectId: `62E90394-69F5-4237-9190-012177145E10@${TENANT}`,
    },
    ...{ principal: inTenant('AZUser', principal, guid(6)), relations: ['AZHasRole'] },
    facts: { assignment: { value: 'active' } },
  }),
  unsynchronize: ({ object, principal }) => ({
    object: inTenant('AZUser', object, guid(6)),
    principal: user(principal),
  }),
  'remove-relation': ({ object, principal }) => ({
    object: {
      ...inTenant('AZVM', object, guid(7)),
      objectId: '/SUBSCRIPTIONS/1/RESOURCEGROUPS/RG',
      guid: null,
    },
    ...{ principal: inTenant('AZUser', principal, guid(6)), relations: ['AZContributor'] },
    facts: { 'cloud-group': { value: null }, 'assignment-scopes': { value: [] } },
  }),
};

/** @returns facts of a membership in a group of Entra ID */
export const cloudMembership = (group: Partial<NonNullable<CloudGroup>>): KitFacts => ({
  ...sampleFacts('remove-member', { object: 'GROUP', principal: 'PRINCIPAL' }),
  object: inTenant('AZGroup', 'GROUP', guid(8)),
  principal: inTenant('AZServicePrincipal', 'PRINCIPAL', guid(9)),
  relations: ['AZMemberOf'],
  facts: {
    'cloud-group': {
      value: { isRoleAssignable: null, isSynchronized: false, onPremisesSid: null, hasRule: false, ...group },
    },
  },
});

export const KINDS = Object.keys(CASES) as RepairKind[];

export function sampleFacts(kind: RepairKind, names: Names): KitFacts {
  const { object, principal, relations = [], facts = {} } = CASES[kind](names);
  const other = principal ?? object;
  return {
    ...{
      id: `${kind} sample`,
      kind,
      object,
      ...(principal !== undefined && { principal }),
      relations,
      facts,
    },
    removed: relations.map((relation) => ({
      ...{ source: other, relation, target: object },
      isInherited: false,
    })),
    values: [],
  };
}
